import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../harness/console-page.ts'
import { buttonOn } from '../harness/console-state.ts'
import { useConsoleStore } from '../harness/console-store.ts'
import { until } from '../harness/until.ts'

type Pet = { id: number; name: string }
type Order = { id: number; petId: number; status: string }

const newPet = { name: 'Rex', categoryId: 1, status: 'available' }

describe('focus and keys of the console', () => {
  const { open, send, petstore } = useConsoleStore({ seed: 300 })

  async function addOrder(): Promise<Order> {
    const pet = (await send('POST', '/pets', newPet)) as Pet
    return (await send('POST', '/store/orders', { petId: pet.id })) as Order
  }
  const statusOf = async ({ id }: Order) =>
    ((await send('GET', `/store/orders/${id}`)) as Order).status

  it('the list has the focus once the button that had it is gone', async () => {
    const [first, second] = [await addOrder(), await addOrder()]
    const page = await open('orders')

    await buttonOn(page, `Ship order ${first.id}`).click()
    await rowOf(page, first.id).getByText('Shipping …').waitFor()
    await page.locator('[role="grid"]:focus').waitFor()
    await page.keyboard.press('ArrowUp')

    await page.locator(`#row-${second.id}[data-active]`).waitFor()
  })

  it('keys do nothing to an order that is out of sight, but show it', async () => {
    const order = await addOrder()
    const page = await open('orders')
    await rowOf(page, order.id).click()
    await page.keyboard.press('Escape')
    const firstTop = await topOf(page, order.id)
    await page.mouse.wheel(0, 700)
    await until(async () => (await topOf(page, order.id)) < firstTop)

    await page.keyboard.press('s')
    // Less a pixel for rounding.
    await until(async () => (await topOf(page, order.id)) >= firstTop - 1)
    assert.equal(await statusOf(order), 'pending')
    await page.keyboard.press('s')

    await rowOf(page, order.id).getByText('Shipping …').waitFor()
  })

  it('an open order is shown as it is, whatever the list shows by then', async () => {
    const order = await addOrder()
    const page = await open('orders')
    await rowOf(page, order.id).click()
    const panel = page.getByRole('region', { name: 'Order', exact: true })
    await panel.waitFor()

    await send('POST', `/store/orders/${order.id}/ship`)
    await panel.getByText('Shipped', { exact: true }).first().waitFor()
    await petstore().faults.add({ operation: 'getOrder', error: 'internal_error' })
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Cancelled' }).click()
    await page.waitForURL(/status=cancelled/)
    await rowOf(page, order.id).waitFor({ state: 'detached' })
    // Nothing but the list has told of it yet.
    assert.equal(await panel.getByRole('button', { name: /Ship/ }).count(), 0)
    await petstore().faults.clear()
    await send('POST', `/store/orders/${order.id}/deliver`)

    await panel.getByText('Delivered', { exact: true }).waitFor()
    assert.equal(await panel.getByRole('button', { name: /Ship|Deliver/ }).count(), 0)
  })

  it('while the key has ended nothing is asked for, and the place in the list is kept', async () => {
    const page = await open('pets')
    await rowOf(page, 1).click()
    await page.keyboard.press('Escape')
    await scrollTo(page, 250)
    await page.clock.install()
    await petstore().faults.add({ operation: 'listPets', error: 'revoked_api_key' })
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor()

    const before = (await petstore().requests({ operation: 'listPets' })).length
    await buttonOn(page, 'Sign in').focus()
    await page.keyboard.press('Delete')
    await page.clock.runFor(30_000)
    const asked = (await petstore().requests({ operation: 'listPets' })).length - before
    await petstore().faults.clear()
    const fetched = page.waitForResponse(/limit=100/)
    await signIn(page, petstore().key)
    await rowOf(page, 250).waitFor()

    assert.ok(asked <= 1, `${asked} requests`)
    assert.equal(await page.getByText('Withdrawing').count(), 0)
    await fetched
    await rowOf(page, 250).waitFor()
    assert.equal(await rowOf(page, 1).count(), 0)
  })
})

/** Where a row begins; below zero where it is so far out of sight that the page does not have it. */
async function topOf(page: Page, id: number): Promise<number> {
  return page.evaluate(`document.querySelector('#row-${id}')?.getBoundingClientRect().top ?? -1`)
}

/** Scrolls a list down until the row of this id is in the page. */
async function scrollTo(page: Page, id: number): Promise<void> {
  while ((await rowOf(page, id).count()) === 0) await page.mouse.wheel(0, 600)
}
