import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { rowOf } from '../harness/console-page.ts'
import { fieldOn } from '../harness/console-state.ts'
import { useConsoleStore } from '../harness/console-store.ts'

type Pet = { id: number; name: string }

const newPet = { name: 'Rex', categoryId: 1, status: 'available' }
/** Fetches the rows in view; those in front of them are loaded with `sort=-id`. */
const lists = /\/v1\/pets\?(?!.*count)(?!.*sort=-id)(?=.*limit=100)/

describe('lists of the console', () => {
  const { open, send } = useConsoleStore({ seed: 30 })

  it('what was changed here is not undone on the screen by a poll that began before', async () => {
    const pet = (await send('POST', '/pets', newPet)) as Pet
    const page = await open(`pets?at=${pet.id}`)
    await rowOf(page, pet.id).waitFor()
    const poll = await holdPoll(page, () => send('PATCH', '/pets/1', { name: 'Changed' }))

    await rowOf(page, pet.id).click()
    await fieldOn(page, 'Name').fill('Renamed')
    await page.keyboard.press('Enter')
    await page.getByText(`Pet ${pet.id} was saved.`).waitFor()
    await page.getByRole('button', { name: 'Add a pet' }).click()
    await fieldOn(page, 'Name').fill('Added')
    await page.getByRole('combobox', { name: 'Category' }).last().fill('77')
    await page.getByRole('option', { name: 'Category 77' }).click()
    await page.keyboard.press('Control+Enter')
    const added = page.getByRole('row').filter({ hasText: 'Added' })
    await added.waitFor()
    const shown = page.evaluate(everShown(pet.id, ['Rex', 'Withdrawn']))
    await poll.release()
    for (let times = 0; times < 2; times++) {
      const polled = page.waitForResponse(lists)
      await send('PATCH', '/pets/1', { name: `Changed ${times}` })
      await polled
    }

    assert.equal(await shown, '')
    assert.equal(await added.getByText('Withdrawn').count(), 0)
  })

  it('every character that is typed into a filter counts, however slowly', async () => {
    const page = await open('pets')
    await rowOf(page, 1).waitFor()
    const search = page.getByRole('searchbox')

    // The next character follows in the moment in which the address has the last one.
    await page.evaluate(typeWhenNavigated('Find by name', 'o'))
    await search.pressSequentially('R')
    await page.waitForURL(/words=R/)
    await page.waitForURL(/words=Ro/)

    assert.equal(await search.inputValue(), 'Ro')
  })

  it('finds pets by any words of their names, in the list and the palette', async () => {
    const pet = (await send('POST', '/pets', { ...newPet, name: 'Björk, cream Maine Coon' })) as Pet
    const page = await open('pets')
    await rowOf(page, 1).waitFor()

    await page.getByRole('searchbox').fill('coon % BJORK')
    await page.waitForURL(/words=coon/)
    await rowOf(page, 1).waitFor({ state: 'detached' })
    await rowOf(page, pet.id).getByText('Björk, cream Maine Coon').waitFor()
    await page.getByRole('searchbox').fill('%')
    await rowOf(page, 1).waitFor()

    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Find a pet by name').waitFor()
    await page.keyboard.type('mai bj')
    const found = page.locator('[data-action]').filter({ hasText: 'Björk' })
    await found.waitFor()
    await found.click()
    await page.waitForURL(new RegExp(`at=${pet.id}`))
    await send('DELETE', `/pets/${pet.id}`)
  })
})

/** Makes a change, and holds back the response of the poll that follows it. */
async function holdPoll(
  page: Page,
  change: () => Promise<unknown>,
): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<() => Promise<void>>()
  let isHeld = false
  await page.route(lists, async (route: Route) => {
    if (isHeld) return route.continue()
    isHeld = true
    const response = await route.fetch()
    held.resolve(() => route.fulfill({ response }).catch(() => undefined))
  })
  await change()
  const release = await held.promise
  return { release }
}

/** Resolves to the first of these texts that a row shows within two polls, else to ''. */
function everShown(id: number, texts: string[]): string {
  return `new Promise((done) => {
    const texts = ${JSON.stringify(texts)}
    const endMs = performance.now() + 3_000
    const check = () => {
      const shown = document.querySelector('#row-${id}')?.textContent ?? ''
      const found = texts.find((text) => shown.includes(text))
      if (found !== undefined || performance.now() > endMs) done(found ?? '')
      else requestAnimationFrame(check)
    }
    check()
  })`
}

/** Types into a field at the next change of the address, before the page has rendered it. */
function typeWhenNavigated(label: string, text: string): string {
  return `(() => {
    const replace = history.replaceState.bind(history)
    history.replaceState = (...values) => {
      history.replaceState = replace
      replace(...values)
      const field = document.querySelector('[aria-label="${label}"]')
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
      set.call(field, field.value + '${text}')
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
  })()`
}
