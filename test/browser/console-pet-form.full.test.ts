import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { rowOf } from '../harness/console-page.ts'
import { buttonOn, fieldOn } from '../harness/console-state.ts'
import { useConsoleStore } from '../harness/console-store.ts'

type Pet = { id: number; name: string; categoryId: number; status: string }

describe('the form of a pet', () => {
  const { open, send, petstore } = useConsoleStore({ seed: 60 })
  const category = (page: Page) => formOn(page).getByRole('combobox', { name: 'Category' })
  const petNow = async (id: number) => ((await send('GET', `/pets?id=${id}`)) as Pet[])[0]

  async function addCategory(name: string): Promise<number> {
    return ((await send('POST', '/categories', { name })) as { id: number }).id
  }

  it('saves the category whose name or number was typed, and refuses a text that names none', async () => {
    const id = await addCategory('Olms of the cave')
    const other = await addCategory('Newts of the pond')
    const page = await open('pets')
    await rowOf(page, 5).dblclick()

    await category(page).fill('olms of')
    await category(page).press('Enter')
    assert.equal(await category(page).inputValue(), 'Olms of the cave')
    await category(page).press('Enter')
    await page.getByText('Pet 5 was saved.').waitFor()
    assert.equal((await petNow(5))?.categoryId, id)

    await rowOf(page, 6).dblclick()
    await category(page).fill(String(other))
    await page.getByRole('option', { name: 'Newts of the pond' }).waitFor()
    await page.keyboard.press('Tab')
    assert.equal(await category(page).inputValue(), 'Newts of the pond')
    const missing = page.getByText('There is no category with this number.')
    assert.equal(await missing.count(), 0)
    await category(page).fill(String(other + 100))
    await missing.waitFor()
    await category(page).fill('No such one')
    await missing.waitFor({ state: 'detached' })
    await buttonOn(page, 'Save').click()
    await page.getByText('Category must be chosen').waitFor()
    assert.equal(await category(page).inputValue(), 'No such one')
    assert.notEqual((await petNow(6))?.categoryId, other)
  })

  it('keeps the category and the status that are chosen again', async () => {
    const page = await open('pets')
    await rowOf(page, 8).dblclick()
    const text = await category(page).inputValue()

    await category(page).click()
    await page.getByRole('option', { selected: true }).click()
    assert.equal(await category(page).inputValue(), text)
    const status = formOn(page).getByLabel('Status', { exact: true })
    const chosen = await status.inputValue()
    await status.click()
    await page.getByRole('option', { selected: true }).click()
    assert.equal(await status.inputValue(), chosen)
  })

  it('stays open where Escape closes the list of a field', async () => {
    const page = await open('pets')
    await rowOf(page, 8).dblclick()

    await category(page).click()
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    await fieldOn(page, 'Name').waitFor()
    await page.keyboard.press('Escape')
    await fieldOn(page, 'Name').waitFor({ state: 'detached' })
  })

  it('is found by the number of its category too', async () => {
    const id = await addCategory('Skinks of the sand')
    await send('PATCH', '/pets/11', { categoryId: id })
    const page = await open('pets')
    await page.getByRole('combobox', { name: 'Category' }).fill(String(id))

    await page.getByRole('option', { name: 'Skinks of the sand' }).click()

    await rowOf(page, 11).waitFor()
    await page.waitForURL(new RegExp(`category=${id}`))
  })

  it('is not saved by the Enter that opened it, however long that is held', async () => {
    const page = await open('pets?at=9')
    await rowOf(page, 9).waitFor()
    await page.getByRole('grid').focus()
    const count = async () => (await petstore().requests({ operation: 'listPets' })).length

    await page.keyboard.down('Enter')
    await fieldOn(page, 'Name').waitFor()
    await page.keyboard.down('Enter')
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')

    await untilMore(count)
    assert.equal(await page.getByText('Pet 9 was saved.').count(), 0)
    assert.equal(await formOn(page).count(), 1)
  })
})

/** The form that is open; not that which goes to an id. */
function formOn(page: Page) {
  return page.locator('form:has(h2)')
}

/** Resolves once there are more than now. */
async function untilMore(count: () => Promise<number>): Promise<void> {
  const before = await count()
  while ((await count()) === before) await new Promise((resolve) => setTimeout(resolve, 50))
}
