import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { rowOf } from '../harness/console-page.ts'
import { buttonOn } from '../harness/console-state.ts'
import { useConsoleStore } from '../harness/console-store.ts'

type Pet = { id: number; name: string; categoryId: number; status: string }

describe('the form of a pet', () => {
  const { open, send } = useConsoleStore({ seed: 60 })
  const category = (page: Page) => formOn(page).getByRole('combobox', { name: 'Category' })
  const petNow = async (id: number) => ((await send('GET', `/pets?id=${id}`)) as Pet[])[0]

  async function addCategory(name: string): Promise<number> {
    return ((await send('POST', '/categories', { name })) as { id: number }).id
  }

  it('saves the category whose name or number was typed, and keeps its own where a text names none', async () => {
    const id = await addCategory('Olms of the cave')
    const other = await addCategory('Newts of the pond')
    const page = await open('pets')
    await rowOf(page, 5).click()

    await category(page).fill('olms of')
    // Before the options are there, Enter chooses and saves nothing.
    await page.getByRole('option', { name: 'Olms of the cave' }).waitFor()
    await category(page).press('Enter')
    assert.equal(await category(page).inputValue(), 'Olms of the cave')
    await category(page).press('Enter')
    await page.getByText('Pet 5 was saved.').waitFor()
    assert.equal((await petNow(5))?.categoryId, id)

    await rowOf(page, 6).click()
    await category(page).fill(String(other))
    await page.getByRole('option', { name: 'Newts of the pond' }).waitFor()
    await page.keyboard.press('Tab')
    assert.equal(await category(page).inputValue(), 'Newts of the pond')
    const missing = page.getByText('There is no category with this number.')
    assert.equal(await missing.count(), 0)
    await category(page).fill('No such one')
    await page.getByText('There is no such category.').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    assert.equal(await category(page).inputValue(), 'Newts of the pond')
    await category(page).focus()
    await page.keyboard.press('Tab')
    assert.equal(await category(page).inputValue(), 'Newts of the pond')
    assert.notEqual((await petNow(6))?.categoryId, other)
    await category(page).fill(String(other + 100))
    await page.keyboard.press('Tab')
    await missing.waitFor()
    await buttonOn(page, 'Save').click()
    await page.getByText('Pet 6 was saved.').waitFor()
    assert.equal((await petNow(6))?.categoryId, other + 100)
  })
})

/** The form that is open; not that which goes to an id. */
function formOn(page: Page) {
  return page.locator('form:has(h2)')
}
