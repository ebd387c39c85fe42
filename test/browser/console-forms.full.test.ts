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
  const question = (page: Page) => page.getByRole('dialog', { name: 'Throw away what you typed?' })

  async function keepEditing(page: Page): Promise<void> {
    await question(page).waitFor()
    await buttonOn(page, 'Keep editing').click()
    await question(page).waitFor({ state: 'detached' })
    assert.equal(await fieldOn(page, 'Name').inputValue(), 'Typed')
  }

  it('stays where another row is opened by mouse or key, and is thrown away only on request', async () => {
    const page = await openTyped()

    await rowOf(page, 2).click()
    await question(page).waitFor()
    await expectAccessible(page, 'the question before typed text is lost')
    await page.keyboard.press('Escape')
    await question(page).waitFor({ state: 'detached' })
    assert.equal(await fieldOn(page, 'Name').inputValue(), 'Typed')

    await page.getByRole('grid').focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await question(page).waitFor()
    await buttonOn(page, 'Throw away').click()
    await formOn(page).getByText('1', { exact: true }).waitFor()
    assert.notEqual(await fieldOn(page, 'Name').inputValue(), 'Typed')
    await focusOn(page, fieldOn(page, 'Name'))
  })

  it('is asked about by links, shortcuts, the palette, Back, Escape, Cancel and Sign out', async () => {
    const page = await open('orders')
    await page.getByRole('link', { name: 'Pets' }).click()
    await rowOf(page, 5).click()
    await fieldOn(page, 'Name').fill('Typed')

    await page.getByRole('link', { name: 'Orders' }).click()
    await keepEditing(page)
    await focusOn(page, page.getByRole('link', { name: 'Orders' }))
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await keepEditing(page)
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Find a pet by name').fill('go to orders')
    await page.keyboard.press('Enter')
    await page.getByPlaceholder('Find a pet by name').waitFor({ state: 'detached' })
    await keepEditing(page)
    await page.goBack()
    await keepEditing(page)
    await page.waitForURL(/\/pets/)
    await fieldOn(page, 'Name').press('Escape')
    await keepEditing(page)
    await focusOn(page, fieldOn(page, 'Name'))
    await buttonOn(page, 'Cancel').click()
    await keepEditing(page)
    await page.getByRole('button', { name: 'Signed in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await keepEditing(page)

    await page.goBack()
    await question(page).waitFor()
    await buttonOn(page, 'Throw away').click()
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
    await buttonOn(page, 'Cancel').click()
    await page.getByRole('dialog', { name: 'Leave while it is being saved?' }).waitFor()
    await expectAccessible(page, 'the question while a form is saved')
    await buttonOn(page, 'Leave').click()
    await rowOf(page, 2).click()
    await fieldOn(page, 'Name').fill('Typed meanwhile')

    release()
    await page.getByText('Pet 5 was saved.').waitFor()

    assert.equal(await fieldOn(page, 'Name').inputValue(), 'Typed meanwhile')
    await focusOn(page, fieldOn(page, 'Name'))
    assert.equal(await rowOf(page, 5).getAttribute('aria-selected'), 'false')
    await rowOf(page, 5).getByText('Saved late').waitFor()
  })

  it('goes on by itself to where somebody wanted to go, once it has succeeded', async () => {
    const page = await open('pets')
    const release = await holdRequests(page, 'PATCH')
    await rowOf(page, 6).click()
    await fieldOn(page, 'Name').fill('Saved before leaving')
    await fieldOn(page, 'Name').press('Enter')
    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('dialog', { name: 'Leave while it is being saved?' }).waitFor()

    release()

    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
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
    await buttonOn(page, 'Keep editing').click()

    await send('PATCH', '/pets/10', { categoryId: 72 })
    await fieldOn(page, 'Name').press('Enter')
    await page.getByRole('columnheader', { name: 'Theirs' }).waitFor()

    const row = page.getByRole('row', { name: /^Category / })
    assert.equal(await row.getByText('72').count(), 2)
    await buttonOn(page, 'Save mine').click()
    await page.getByText('Pet 10 was saved.').waitFor()
    const { name, categoryId } = (await petNow(10)) ?? {}
    assert.deepEqual({ name, categoryId }, { name: 'Mine', categoryId: 72 })
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
