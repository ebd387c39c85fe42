import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { expectAccessible, holdMessages, rowOf, rowsOn, signIn } from '../harness/console-page.ts'
import { useConsoleStore } from '../harness/console-store.ts'
import { itInFull } from '../harness/extent.ts'

describe('the console', () => {
  const { open, openSignedOut, send, petstore } = useConsoleStore({ seed: 300 })

  async function openPets(path = 'pets', key?: string) {
    const page = await open(path, key)
    await page.getByRole('grid').waitFor()
    return page
  }

  it('loads at most 300 KB, and no TypeBox', () => {
    const dist = join(import.meta.dirname, '../../console/dist')
    const { folder } = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'))
    const html = readFileSync(join(dist, folder, 'index.html'), 'utf8')
    const names = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(
      ([, name]) => name ?? '',
    )
    const sizes = names.map((name) => readFileSync(join(dist, folder, `${name}.gz`)).length)

    assert.ok(names.length >= 3)
    assert.ok(sizes.reduce((sum, size) => sum + size, html.length) <= 300_000, `${sizes}`)
    for (const name of names) {
      assert.doesNotMatch(
        readFileSync(join(dist, folder, name), 'utf8'),
        /TypeBox|Ajv|~kind/i,
        name,
      )
    }
  })

  it('signs in with a key, which is kept for the tab alone, and says why another is refused', async () => {
    const page = await openSignedOut()

    // No command can add a key to a store in memory; the reference knows of which kind a store is.
    assert.doesNotMatch(await page.innerText('main'), /keys create/)
    const help = await page.getByRole('link', { name: 'reference' }).getAttribute('href')
    assert.match(help ?? '', /\/docs#key$/)
    await signIn(page, 'garbage')
    await page.getByText('not an API key').waitFor()
    await signIn(page, await petstore().issueKey({ revoked: true }))
    await page.getByText('revoked').waitFor()
    await expectAccessible(page, 'sign-in with an error')
    await signIn(page, petstore().key)
    await rowOf(page, 1).waitFor()
    await page.reload()
    await rowOf(page, 1).waitFor()

    const kept = await page.evaluate(
      'JSON.stringify([document.cookie, localStorage, location.href])',
    )
    assert.doesNotMatch(String(kept), /pet_test_/)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('finds, adds, edits and withdraws a pet with the keyboard alone, and says at the fields what is wrong', async () => {
    const page = await openPets()
    const { keyboard } = page
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await rowOf(page, 3).waitFor()
    await holdMessages(page)
    await page.getByRole('grid').focus()
    const counted = parseInt(String(await page.getByText(/^\d+ pets$/).textContent()), 10)

    await keyboard.press('n')
    await name.waitFor()
    await keyboard.press('Enter')
    await page.getByText('Name is missing').waitFor()
    await page.getByText('Category is missing').waitFor()
    await expectAccessible(page, 'adding a pet with errors')
    await keyboard.type('Quill, white hedgehog')
    await keyboard.press('Tab')
    await keyboard.type('9007199254740993')
    await page.getByRole('option', { name: 'Category 9007199254740993' }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await keyboard.press('Control+Enter')
    await page.getByText(/^Pet \d+ was added/).waitFor()
    // On a busy machine this may take many seconds: the longer a count takes, the later it is repeated.
    await page.getByText(`${counted + 1} pets`, { exact: true }).waitFor()

    await keyboard.press('/')
    // On a busy machine the first letters are searched for before.
    const listed = page.waitForResponse(/\/v1\/pets\?(?=.*search=quill(&|$))(?=.*limit=100)/)
    await keyboard.type('quill')
    await page.waitForURL(/\?words=quill$/)
    await listed
    await page.locator('[role="grid"][aria-busy="false"]').waitFor()
    const added = page.getByRole('row').filter({ hasText: 'Quill, white hedgehog' })
    await added.getByText('Category 9007199254740993').waitFor()
    await page.getByRole('grid').focus()
    await keyboard.press('ArrowDown')
    await keyboard.press('e')
    await name.fill('Quill, grey hedgehog')
    await keyboard.press('Enter')
    await page.getByText(/^Pet \d+ was saved/).waitFor()
    assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'grid')

    await keyboard.press('Delete')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('row').filter({ hasText: 'Available' }).first().waitFor()
    await page.getByRole('grid').focus()
    await keyboard.press('Delete')
    await page.getByRole('button', { name: 'Now' }).click()
    await page.getByText(/^Pet \d+ was withdrawn/).waitFor()
    assert.deepEqual(await send('GET', '/pets?name=quill'), [])
  })

  itInFull('opens the row that is double-clicked where half of it is in view', async () => {
    const page = await openPets()
    await rowOf(page, 1).waitFor()
    const bottom = Number(
      await page.evaluate(`(() => {
        const scroller = document.querySelector('[role="grid"]').parentElement
        scroller.scrollTop += 15
        return scroller.getBoundingClientRect().bottom
      })()`),
    )
    const point = [300, bottom - 4] as const
    const id = Number(
      await page.evaluate(
        `document.elementFromPoint(${point}).closest('[id^="row-"]').id.slice(4)`,
      ),
    )
    const box = await rowOf(page, id).boundingBox()
    assert.ok(box && box.y + box.height > bottom)

    await page.mouse.click(...point)
    await page.locator(`#row-${id}[data-active]`).waitFor()
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    )
    assert.deepEqual(await rowOf(page, id).boundingBox(), box)
    await page.mouse.dblclick(...point)

    const form = page.getByRole('form', { name: 'Edit the pet' })
    await form.getByText(String(id), { exact: true }).waitFor()
  })

  itInFull('shows what others change, and moves nothing under the pointer', async () => {
    const page = await openPets('pets?status=available')
    await rowOf(page, 4).hover()
    const box = await rowOf(page, 4).boundingBox()

    await send('PATCH', '/pets/4', { name: 'Renamed by another' })
    await send('DELETE', '/pets/3')
    await rowOf(page, 4).getByText('Renamed by another').waitFor()
    await rowOf(page, 3).getByText('Withdrawn').waitFor()

    assert.deepEqual(await rowOf(page, 4).boundingBox(), box)
    await page.getByRole('button', { name: 'bring up to date' }).click()
    await rowOf(page, 3).waitFor({ state: 'detached' })
  })

  itInFull('offers what is new in front of the list, however much that is', async () => {
    const page = await openPets('pets?sort=-id')
    const add = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => send('POST', '/pets', { name: 'New', categoryId: 1 })),
      )
    await page.locator('[role="row"][id^="row-"]').first().hover()

    await add(3)
    await page.getByRole('button', { name: 'Show 3 new', exact: true }).click()
    await page.locator('[role="row"][id^="row-"]').nth(2).getByText('New').waitFor()
    await add(130)
    // The request after the one that may have been sent before.
    for (let times = 0; times < 2; times++) {
      const listed = page.waitForResponse(/\/v1\/pets\?.*limit=100/)
      await send('PATCH', '/pets/1', { name: `Changed ${times}` })
      await listed
    }
    await page.getByRole('button', { name: 'Show 100+ new', exact: true }).click()
    const [newest] = (await send('GET', '/pets?sort=-id&limit=1')) as { id: number }[]
    await rowOf(page, newest?.id ?? 0).waitFor()

    const ids = (await rowsOn(page)).map((text) => Number.parseInt(text, 10))
    assert.deepEqual(
      ids,
      ids.map((_, index) => (newest?.id ?? 0) - index),
    )
    for (const { id } of (await send('GET', '/pets?name=New&limit=100')) as { id: number }[])
      await send('DELETE', `/pets/${id}`)
  })

  itInFull('does not offer what the key may not do', async () => {
    const key = await petstore().issueKey({ scopes: ['pets:read'] })
    const page = await openPets('pets', key)
    await rowOf(page, 7).dblclick()

    assert.equal(await page.getByRole('button', { name: 'Add a pet' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Edit pet 7' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
  })
})
