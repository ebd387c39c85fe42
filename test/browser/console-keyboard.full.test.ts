import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { holdMessages, rowOf } from '../harness/console-page.ts'
import { useConsoleStore } from '../harness/console-store.ts'

type Pet = { id: number; name: string; status: string }
type Order = { id: number; petId: number; status: string; quantity: number }

const newPet = { name: 'Rex', categoryId: 1, status: 'available' }
/** More steps than any page has. */
const tabsMax = 80

describe('the console by keyboard alone', () => {
  const { open, send, petstore } = useConsoleStore({ seed: 60, orderHoldMs: 900_000 })

  it('signs in, goes to every page, chooses colours, and signs out', async () => {
    const page = await open('', petstore().key)
    await expectFocus(page, 'after the sign-in')
    for (const [key, title] of [
      ['v', 'Overview'],
      ['o', 'Orders'],
      ['i', 'Inventory'],
      ['c', 'Categories'],
      ['k', 'Keys'],
      ['w', 'Webhooks'],
      ['p', 'Pets'],
    ] as const) {
      // Both within the time in which they count as a sequence, however slow the machine is.
      await Promise.all([page.keyboard.press('g'), page.keyboard.press(key)])
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await expectFocus(page, `on ${title}`)
    }

    await tabTo(page, 'Signed in')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await tabTo(page, 'Sign out')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await focused(page), 'API key')
  })

  it('places, ships, delivers and cancels orders', async () => {
    const pet = (await send('POST', '/pets', newPet)) as Pet
    const page = await open('orders')
    const { keyboard } = page
    await page.getByRole('grid').waitFor()
    await holdMessages(page)

    await keyboard.press('n')
    await keyboard.type(String(pet.id))
    await keyboard.press('Tab')
    await keyboard.press('Tab')
    await keyboard.type('by keyboard')
    await keyboard.press('Enter')
    await page.getByText(/^Order \d+ was placed\.$/).waitFor()
    const [order] = (await send('GET', `/store/orders?petId=${pet.id}`)) as Order[]
    assert.ok(order)
    await expectFocus(page, 'after placing')
    await keyboard.press('s')
    await tabTo(page, 'Now')
    await keyboard.press('Enter')
    await rowOf(page, order.id).getByText('Shipped').waitFor()
    await page.getByRole('grid').focus()
    await keyboard.press('d')
    await tabTo(page, 'Now')
    await keyboard.press('Enter')
    await rowOf(page, order.id).getByText('Delivered').waitFor()

    const other = (await send('POST', '/pets', newPet)) as Pet
    await keyboard.press('n')
    await keyboard.type(String(other.id))
    await keyboard.press('Enter')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Place an order' }).waitFor({ state: 'detached' })
    await keyboard.press('Delete')
    await tabTo(page, 'Undo')
    await keyboard.press('Enter')
    await expectFocus(page, 'after undoing')
    assert.equal((await ordersOf(other))[0]?.status, 'pending')
    await page.getByRole('grid').focus()
    await keyboard.press('Delete')
    await tabTo(page, 'Now')
    await keyboard.press('Enter')
    await page.getByText(/^Order \d+ was cancelled/).waitFor()
    await expectFocus(page, 'after cancelling')
    assert.equal((await ordersOf(other))[0]?.status, 'cancelled')
  })

  it('sets a stock, and finds another one by its id', async () => {
    const pet = (await send('POST', '/pets', newPet)) as Pet
    const page = await open('inventory')
    const { keyboard } = page
    await page.getByRole('grid').waitFor()
    await holdMessages(page)

    await keyboard.press('/')
    await keyboard.type(String(pet.id))
    await keyboard.press('Enter')
    await rowOf(page, pet.id).waitFor()
    await keyboard.press('Enter')
    await page.getByLabel('In stock').waitFor()
    await keyboard.type('6')
    await keyboard.press('Enter')
    await page.getByText(`Pet ${pet.id}: 6 in stock.`).waitFor()
    await expectFocus(page, 'after saving')

    const [stock] = (await send('GET', `/inventory?petId=${pet.id}`)) as { quantity: number }[]
    assert.equal(stock?.quantity, 6)
  })

  it('adds, changes and deletes a category', async () => {
    const page = await open('categories')
    const { keyboard } = page
    await rowOf(page, 1).waitFor()
    await holdMessages(page)

    await keyboard.press('n')
    await keyboard.type('Newts')
    await keyboard.press('Enter')
    await page.getByText(/^Category \d+ was added/).waitFor()
    await keyboard.press('e')
    await keyboard.press('End')
    await keyboard.type(' and toads')
    await keyboard.press('Enter')
    await page.getByText(/^Category \d+ was saved/).waitFor()
    const [added] = (await send('GET', '/categories?name=newts%20and%20toads')) as { id: number }[]
    assert.ok(added)
    await keyboard.press('Delete')
    await tabTo(page, 'Now')
    await keyboard.press('Enter')
    await page.getByText(/^Category \d+ was deleted/).waitFor()
    await expectFocus(page, 'after deleting')
  })

  it('keeps their version of a pet when chosen; a second Enter chooses neither', async () => {
    const page = await open('pets?at=7')
    const { keyboard } = page
    await rowOf(page, 7).waitFor()
    await tabTo(page, 'Pets', 'grid')
    await keyboard.press('e')
    await keyboard.press('End')
    await keyboard.type(' of mine')

    await send('PATCH', '/pets/7', { name: 'Theirs' })
    await keyboard.press('Enter')
    await page.getByText('Theirs:').waitFor()
    await expectFocus(page, 'at the question')
    await keyboard.press('Enter')
    await tabTo(page, 'Keep theirs')
    await keyboard.press('Enter')
    await page.getByText('Theirs:').waitFor({ state: 'detached' })
    await expectFocus(page, 'after the question')

    assert.equal(((await send('GET', '/pets?id=7')) as Pet[])[0]?.name, 'Theirs')
  })

  it('runs commands of the palette, which names their keys, and comes back to where it was', async () => {
    const page = await open('pets')
    const { keyboard } = page
    await rowOf(page, 3).waitFor()
    await tabTo(page, 'Pets', 'grid')

    await keyboard.press('?')
    await page.getByPlaceholder('Find a pet by name').waitFor()
    await page.locator('[data-action]').filter({ hasText: 'Add a pet' }).getByText('N').waitFor()
    await keyboard.press('Escape')
    await page.getByPlaceholder('Find a pet by name').waitFor({ state: 'detached' })
    assert.equal(await focused(page), 'Pets')
    await keyboard.press('Control+k')
    await page.getByPlaceholder('Find a pet by name').waitFor()
    await keyboard.type('33')
    await page.getByText('Go to pet 33').waitFor()
    await keyboard.press('Enter')
    await page.getByPlaceholder('Find a pet by name').waitFor({ state: 'detached' })
    assert.match(page.url(), /at=33$/)
    await keyboard.press('Control+k')
    await page.getByPlaceholder('Find a pet by name').waitFor()
    await keyboard.type('go to orders')
    await keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    await page.getByPlaceholder('Find a pet by name').waitFor({ state: 'detached' })
    await expectFocus(page, 'after a command')
  })

  const ordersOf = ({ id }: Pet) => send('GET', `/store/orders?petId=${id}`) as Promise<Order[]>
})

/** The name of what has the focus. */
async function focused(page: Page, attribute = 'name'): Promise<string> {
  return String(
    await page.evaluate(`(() => {
      const { activeElement: element } = document
      if ('${attribute}' === 'role') return element.getAttribute('role') ?? element.tagName.toLowerCase()
      return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent
    })()`),
  )
}

/** Presses Tab until something with this name has the focus. */
async function tabTo(page: Page, name: string, role?: string): Promise<void> {
  const passed: string[] = []
  for (let step = 0; step < tabsMax; step++) {
    await page.keyboard.press('Tab')
    const found = (await focused(page)).trim()
    const isRole = role === undefined || (await focused(page, 'role')) === role
    if (found.startsWith(name) && isRole) return
    passed.push(found)
  }
  assert.fail(`Tab does not reach "${name}", only ${[...new Set(passed)].join(', ')}.`)
}

/** The focus is on something, at the latest in the next frame. */
async function expectFocus(page: Page, when: string): Promise<void> {
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  )
  const name = String(await page.evaluate('document.activeElement.tagName'))
  assert.notEqual(name, 'BODY', `the focus is lost ${when}`)
}
