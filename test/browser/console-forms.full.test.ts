import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { expectAccessible, rowOf } from '../harness/console-page.ts'
import { buttonOn, fieldOn } from '../harness/console-state.ts'
import { useConsoleStore } from '../harness/console-store.ts'

type Pet = { id: number; name: string; categoryId: number; status: string }

describe('typed text that is not saved', () => {
  const { open } = useConsoleStore({ seed: 60 })

  async function openTyped(): Promise<Page> {
    const page = await open('pets')
    await rowOf(page, 5).waitFor()
    await page.getByRole('grid').focus()
    for (let row = 0; row < 5; row++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await fieldOn(page, 'Name').fill('Typed')
    return page
  }

  it('stays where another row is opened by mouse or key, and is thrown away only on request', async () => {
    const page = await openTyped()

    assert.match(await asked(page, () => rowOf(page, 2).click()), /not saved yet\. Throw it away\?/)
    assert.equal(await fieldOn(page, 'Name').inputValue(), 'Typed')

    await page.getByRole('grid').focus()
    await page.keyboard.press('ArrowUp')
    await asked(page, () => page.keyboard.press('Enter'), 'leave')
    await formOn(page).getByText('1', { exact: true }).waitFor()
    assert.notEqual(await fieldOn(page, 'Name').inputValue(), 'Typed')
    await focusOn(page, fieldOn(page, 'Name'))
  })

  it('is asked about by links, shortcuts, the palette, Back, Escape, Cancel and Sign out', async () => {
    const page = await open('orders')
    await page.getByRole('link', { name: 'Pets' }).click()
    await rowOf(page, 5).click()
    await fieldOn(page, 'Name').fill('Typed')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Find a pet by name').fill('go to orders')
    const ways: (() => Promise<unknown>)[] = [
      () => page.keyboard.press('Enter'),
      () => page.getByRole('link', { name: 'Orders' }).click(),
      () => page.keyboard.press('g').then(() => page.keyboard.press('o')),
      () => page.evaluate('history.back()'),
      () => fieldOn(page, 'Name').press('Escape'),
      () => buttonOn(page, 'Cancel').click(),
      async () => {
        await page.getByRole('button', { name: 'Signed in' }).click()
        await page.getByRole('button', { name: 'Sign out' }).click()
      },
    ]

    for (const way of ways) {
      await asked(page, way)
      await page.waitForURL(/\/pets/)
      assert.equal(await fieldOn(page, 'Name').inputValue(), 'Typed')
    }
    await asked(page, () => page.evaluate('history.back()'), 'leave')
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    await page.waitForURL(/\/orders/)
  })

  it('is asked about by the browser where the page is reloaded', async () => {
    const page = await openTyped()
    const asked = page.waitForEvent('dialog')

    await page.evaluate('setTimeout(() => location.reload())')
    const dialog = await asked
    await dialog.dismiss()

    assert.equal(dialog.type(), 'beforeunload')
    assert.equal(await fieldOn(page, 'Name').inputValue(), 'Typed')
  })
})

describe('a save that takes long', () => {
  const { open } = useConsoleStore({ seed: 60 })

  it('neither closes the form that is open by then, nor takes its focus', async () => {
    const page = await open('pets')
    const release = await holdRequests(page, 'PATCH')
    await rowOf(page, 5).click()
    await fieldOn(page, 'Name').fill('Saved late')
    await fieldOn(page, 'Name').press('Enter')
    assert.match(await asked(page, () => buttonOn(page, 'Cancel').click(), 'leave'), /being saved/)
    await rowOf(page, 2).click()
    await fieldOn(page, 'Name').fill('Typed meanwhile')

    release()
    await page.getByText('Pet 5 was saved.').waitFor()

    assert.equal(await fieldOn(page, 'Name').inputValue(), 'Typed meanwhile')
    await focusOn(page, fieldOn(page, 'Name'))
    assert.equal(await rowOf(page, 5).getAttribute('aria-selected'), 'false')
    await rowOf(page, 5).getByText('Saved late').waitFor()
  })
})

describe('the form of a record', () => {
  const { open, send } = useConsoleStore({ seed: 60 })
  const petNow = async (id: number) => ((await send('GET', `/pets?id=${id}`)) as Pet[])[0]

  it('shows as mine only what I changed, also in a second conflict', async () => {
    const page = await open('pets')
    await rowOf(page, 10).click()
    await fieldOn(page, 'Name').fill('Mine')
    await send('PATCH', '/pets/10', { categoryId: 71 })
    await fieldOn(page, 'Name').press('Enter')
    await page.getByText('Somebody else changed this pet').waitFor()
    await buttonOn(page, 'Save mine').waitFor()
    await expectAccessible(page, 'a pet that somebody else changed')

    await send('PATCH', '/pets/10', { categoryId: 72, name: 'Theirs too' })
    await buttonOn(page, 'Save mine').click()
    await page.getByText('Theirs: Theirs too').waitFor()

    const category = formOn(page).getByRole('combobox', { name: 'Category' })
    assert.equal(await category.inputValue(), 'Category 72')
    assert.equal(await page.getByText(/^Theirs:/).count(), 1)
    await buttonOn(page, 'Save mine').click()
    await page.getByText('Pet 10 was saved.').waitFor()
    const { name, categoryId } = (await petNow(10)) ?? {}
    assert.deepEqual({ name, categoryId }, { name: 'Mine', categoryId: 72 })
  })

  it('says in words of the shop what is wrong with a field, until that is corrected', async () => {
    const page = await open('orders')
    await buttonOn(page, 'Place an order').click()
    await fieldOn(page, 'Quantity').fill('many')
    await buttonOn(page, 'Place').click()
    const quantity = page.getByText('Type a whole number, such as 3.')
    await quantity.waitFor()
    const pet = page.getByText('Choose a pet.')
    await pet.waitFor()

    await fieldOn(page, 'Quantity').fill('0')
    await quantity.waitFor({ state: 'detached' })
    assert.equal(await pet.count(), 1)
    await formOn(page).getByRole('combobox', { name: 'Pet' }).fill('12')
    await page.keyboard.press('Tab')
    await pet.waitFor({ state: 'detached' })
    await buttonOn(page, 'Place').click()

    await page
      .getByText('Quantity must be a whole number from 1 to 1000000', { exact: true })
      .waitFor()
  })
})

/** The form that is open; not that which goes to an id. */
function formOn(page: Page) {
  return page.locator('form:has(h2)')
}

/** Holds requests of this method until the returned function is called. */
async function holdRequests(page: Page, method: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/v1/**', async (route) => {
    if (route.request().method() === method) await promise
    await route.continue()
  })
  return resolve
}

/** Resolves once it has the focus. */
async function focusOn(page: Page, element: Locator): Promise<void> {
  await element.and(page.locator(':focus')).waitFor()
}

/** Does something of which the browser asks whether it may be done. Resolves to the question. */
async function asked(
  page: Page,
  act: () => Promise<unknown>,
  answer: 'stay' | 'leave' = 'stay',
): Promise<string> {
  const question = page.waitForEvent('dialog')
  const acting = act()
  const dialog = await question
  await (answer === 'leave' ? dialog.accept() : dialog.dismiss())
  await acting
  return dialog.message()
}
