import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible, holdMessages, rowOf } from '../harness/console-page.ts'
import { buttonOn } from '../harness/console-state.ts'
import { useConsoleStore } from '../harness/console-store.ts'

type Pet = { id: number; name: string; categoryId: number; status: string }

const pets = [
  'Tiername;Category ID;=status;colour',
  '"Rex; the ""old"" one";1;available;brown',
  'Tara;1;avalable;green',
  '=1+1;1;sold;',
  '',
].join('\r\n')

describe('spreadsheets and choices on the page of pets', () => {
  const { open, send, petstore } = useConsoleStore({ seed: 30 })
  const petOf = (id: number) => send('GET', `/pets/${id}`) as Promise<Pet>
  const petsNow = (query: string) => send('GET', `/pets?${query}`) as Promise<Pet[]>

  async function openPets(path = 'pets') {
    const page = await open(path)
    await page.locator('[role=row][id^=row-]').first().waitFor()
    await holdMessages(page)
    return page
  }

  async function choose(page: Page, name: string, text: string) {
    await buttonOn(page, 'Import').click()
    const choosing = page.waitForEvent('filechooser')
    await buttonOn(page, 'Choose a file').click()
    await (await choosing).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  }

  const whatIs = (page: Page, column: string) =>
    page.getByRole('combobox', { name: `What ${column} is` })

  it('imports a file: columns that are matched by hand, rows that are wrong, and what was done', async () => {
    const page = await openPets()
    await choose(page, 'pets.csv', pets)

    await page.getByText('Choose which column is Name.').waitFor()
    assert.equal(await whatIs(page, 'Category ID').inputValue(), 'Category id')
    await expectAccessible(page, 'a file without names')
    for (const [column, member] of [
      ['Tiername', 'Name'],
      ['=status', 'Status'],
    ] as const) {
      await whatIs(page, column).click()
      await page.getByRole('option', { name: member, exact: true }).click()
    }
    await buttonOn(page, 'Check').click()
    await page.getByText('2 pets to add. 1 row is left out:').waitFor()
    await page.getByText('did you mean available').waitFor()
    await expectAccessible(page, 'a file with a wrong row')
    const saving = page.waitForEvent('download')
    await buttonOn(page, 'Save the rows to repair').click()
    const refused = await readFile(await (await saving).path(), 'utf8')
    assert.match(
      refused,
      /^error;Tiername;Category ID;=status;colour\r?\n.*Tara;1;avalable;green\r?\n$/,
    )
    await buttonOn(page, 'Add 2 pets').click()
    await page.getByText('2 pets added. 1 row was left out:').waitFor()
    await buttonOn(page, 'Done').click()

    const added = (await petsNow('sort=-id&limit=2')).map(({ name }) => name)
    assert.deepEqual(added, ['=1+1', 'Rex; the "old" one'])
  })

  it('takes a file that is dropped on the page', async () => {
    const page = await openPets()
    const drop = `(() => {
      const data = new DataTransfer()
      data.items.add(new File(['name,categoryId\\nDropped,1\\n'], 'dropped.csv'))
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
    })()`
    await page.evaluate(drop)

    await page.getByRole('dialog', { name: 'Import dropped.csv' }).waitFor()
    await buttonOn(page, 'Add 1 pet').click()
    await page.getByText('1 pet added.').waitFor()
  })

  it('says what a file may be; headings in people’s words, new categories, and rows without a name', async () => {
    const page = await openPets()
    await buttonOn(page, 'Import').click()
    await expectAccessible(page, 'what a file may be')
    const saving = page.waitForEvent('download')
    await buttonOn(page, 'Save a template').click()
    const template = await readFile(await (await saving).path(), 'utf8')
    assert.match(template, /^\ufeffName.Category.Status\r\n/)
    await buttonOn(page, 'Close').click()
    await choose(page, 'pets.xlsx', 'PK\x03\x04')
    await page.getByText('pets.xlsx is an Excel workbook').waitFor()
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'Title\\tSpecies\\nUna\\tUnicorns\\n\\tUnicorns\\n\\tDragons\\nUrs\\tunicorns\\n')
      const field = document.querySelector('[role=dialog] textarea')
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    })()`)

    await page.getByRole('dialog', { name: 'Import the pasted rows' }).waitFor()
    assert.equal(await whatIs(page, 'Species').inputValue(), 'Category')
    await page.getByText('2 rows have no name').waitFor()
    await page.getByText('Lines 3 and 4').waitFor()
    const offer = page.getByRole('checkbox', { name: 'Make 1 new category: Unicorns (2 pets)' })
    await offer.uncheck()
    await page.getByText('0 pets to add. 4 rows are left out:').waitFor()
    await offer.check()
    await buttonOn(page, 'Add 2 pets').click()
    await page.getByText('2 pets added. 2 rows were left out:').waitFor()
    const categories = (await send('GET', '/categories?name=Unicorns')) as object[]
    assert.equal(categories.length, 1)
  })

  it('imports a long file in parts; the same file again only where that is said', async () => {
    const text = `name,categoryId\n${'Long,1\n'.repeat(1_500)}`
    const page = await openPets()
    const importAs = async (button: string) => {
      await buttonOn(page, button).click()
      await page.getByText('1,500 pets added.').waitFor()
      await buttonOn(page, 'Done').click()
    }
    // Cut off once the first part is stored, it goes on.
    let stores = 0
    await page.route(/pets\/import\?(?!.*dryRun)/, (route) =>
      ++stores === 2 ? route.fulfill({ status: 413 }) : route.continue(),
    )
    await choose(page, 'long.csv', text)
    await buttonOn(page, 'Add 1,500 pets').click()
    await page.getByText(/A proxy in front .* 1,000 of 1,500 rows are stored/).waitFor()
    await importAs('Add 1,500 pets')
    await choose(page, 'long.csv', `${text}Longer,1\n`)
    await page
      .getByText(/1,000 of these 1,501 rows were imported before.* are added again/)
      .waitFor()
    await buttonOn(page, 'Cancel').click()
    await choose(page, 'long.csv', text)
    await page
      .getByText(/1,500 of these were added (?:to|yester)day at .*\. Add them again\?/)
      .waitFor()
    await importAs('Add 1,500 pets again')

    const found = await fetch(`${petstore().baseUrl}/pets?name=Long&limit=1`, {
      headers: { authorization: `Bearer ${petstore().key}`, prefer: 'count=exact' },
    })
    assert.equal(found.headers.get('x-total-count'), '3000')
  })

  it('changes chosen pets with one undo, and names those that are refused', async () => {
    const ordered = (await petsNow('status=available&limit=1'))[0] as Pet
    const [first, second] = (await petsNow('status=available&limit=3')).slice(1) as [Pet, Pet]
    await send('POST', '/store/orders', { petId: ordered.id })
    const page = await openPets('pets?status=available')
    const bar = page.getByRole('region', { name: 'Chosen pets' })

    await rowOf(page, first.id).click({ modifiers: ['Control'], position: { x: 200, y: 20 } })
    await rowOf(page, second.id).getByRole('checkbox').click()
    await bar.getByText('2 pets chosen').waitFor()
    await expectAccessible(page, 'chosen pets')
    await buttonOn(page, 'Withdraw').first().click()
    await buttonOn(page, 'Undo').click()
    assert.equal((await petOf(first.id)).status, 'available')

    await page.goto(page.url().replace('?status=available', ''))
    await rowOf(page, first.id).waitFor()
    await holdMessages(page)
    for (const { id } of [first, ordered]) await rowOf(page, id).getByRole('checkbox').click()
    await bar.getByRole('button', { name: 'Withdraw' }).click()
    await buttonOn(page, 'Now').click()
    await page.getByRole('dialog').getByText(String(ordered.id)).first().waitFor()
    await page.getByText('1 pet withdrawn.').waitFor()
    assert.deepEqual(await petsNow(`id=${first.id}`), [])
    assert.equal((await petsNow(`id=${ordered.id}`)).length, 1)
  })

  it('withdraws chosen pets only as they are when that is chosen', async () => {
    const [pet] = (await petsNow('status=available&sort=-id&limit=1')) as [Pet]
    const page = await openPets('pets?status=available&sort=-id')
    await rowOf(page, pet.id).getByRole('checkbox').click()
    const tagged = page.waitForResponse((response) => response.url().endsWith('/v1/pets/batch'))
    await page
      .getByRole('region', { name: 'Chosen pets' })
      .getByRole('button', { name: 'Withdraw' })
      .click()
    await tagged
    await send('PATCH', `/pets/${pet.id}`, { name: 'Changed meanwhile' })
    await buttonOn(page, 'Now').click()

    await page.getByRole('dialog').getByText(`Pet ${pet.id} no longer matches`).waitFor()
    assert.equal((await petOf(pet.id)).name, 'Changed meanwhile')
  })

  it('chooses all that match with the keyboard alone, and saves them as they are', async () => {
    const page = await openPets('pets?status=available')
    const available = await petsNow('status=available&limit=100')
    await page.getByRole('grid').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByText('1 pet chosen').waitFor()
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 pets chosen').waitFor()
    await page.keyboard.press('Control+a')
    await page.getByText(`${available.length} pets chosen`).waitFor()
    const saving = page.waitForEvent('download')
    await page
      .getByRole('region', { name: 'Chosen pets' })
      .getByRole('button', { name: 'Export' })
      .click()
    const saved = await readFile(await (await saving).path(), 'utf8')
    assert.equal(saved.trimEnd().split('\r\n').length, available.length + 1)
    await page.getByRole('grid').focus()
    await page.keyboard.press('Escape')
    await page.getByText('pets chosen').waitFor({ state: 'detached' })

    const savingAll = page.waitForEvent('download')
    await buttonOn(page, 'Export').click()
    const exported = await fetch(`${petstore().baseUrl}/pets/export?status=available`, {
      headers: { authorization: `Bearer ${petstore().key}` },
    })
    assert.equal(await readFile(await (await savingAll).path(), 'utf8'), await exported.text())
  })
})
