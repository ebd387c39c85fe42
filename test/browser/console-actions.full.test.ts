import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { holdMessages, rowOf } from '../harness/console-page.ts'
import { buttonOn } from '../harness/console-state.ts'
import { useConsoleStore } from '../harness/console-store.ts'
import { until } from '../harness/until.ts'

type Pet = { id: number; name: string }
type Order = { id: number; status: string }

const newPet = { name: 'Rex', categoryId: 1, status: 'available' }

describe('actions on records', () => {
  const { open, send, petstore } = useConsoleStore({ seed: 30 })
  const addPet = (name = 'Rex') => send('POST', '/pets', { ...newPet, name }) as Promise<Pet>
  const isThere = async ({ id }: Pet) => ((await send('GET', `/pets?id=${id}`)) as Pet[]).length > 0

  it('a second click on Ship does not deliver the order', async () => {
    const pet = await addPet()
    const order = (await send('POST', '/store/orders', { petId: pet.id })) as Order
    const page = await open('orders')
    const ship = buttonOn(page, `Ship order ${order.id}`)
    await ship.waitFor()
    await holdMessages(page)

    const disabledMs = page.evaluate(untilEnabled(`Deliver order ${order.id}`))
    await ship.click()
    await buttonOn(page, 'Now').click()

    // Longer than a double click takes.
    assert.ok(Number(await disabledMs) > 500)
    await buttonOn(page, `Deliver order ${order.id}`).click()
    await buttonOn(page, 'Now').click()
    await rowOf(page, order.id).getByText('Delivered').waitFor()
  })

  it('signing out is put off when what waits cannot be done, and says why', async () => {
    const pet = await addPet()
    const page = await openAt(pet)
    await holdMessages(page)

    await page.keyboard.press('Delete')
    await buttonOn(page, 'Undo').waitFor()
    await petstore().faults.add({ operation: 'deletePet', error: 'internal_error' })
    await page.getByRole('button', { name: 'Signed in' }).click()
    await page.getByText('Sign out').click()
    await page.getByText('not known whether').waitFor()

    await rowOf(page, pet.id).waitFor()
    assert.equal(await isThere(pet), true)
  })

  it('a page that is closed sends what waits to be undone', async () => {
    const pet = await addPet()
    const page = await openAt(pet)

    await page.keyboard.press('Delete')
    await buttonOn(page, 'Undo').waitFor()
    await page.goto(page.url().replace(/console.*/, 'health/live'))

    await until(async () => !(await isThere(pet)))
  })

  it('an order never shows the name of another pet than that of the id', async () => {
    const [first, second] = [await addPet('Ada Lovelace'), await addPet('Grace Hopper')]
    const page = await open('orders')
    await buttonOn(page, 'Place an order').click()
    const form = page.getByRole('form')
    const field = form.getByRole('combobox', { name: 'Pet' })
    await field.fill('ada love')
    await page.getByRole('option', { name: 'Ada Lovelace' }).click()
    await form.getByText(`${first.id} ·`).waitFor()

    await petstore().faults.add({ operation: 'listPets', delayMs: 2_000 })
    await field.fill(String(second.id))
    await page.keyboard.press('Tab')
    await page.waitForFunction(`document.querySelector('form input').value === 'Pet ${second.id}'`)

    assert.equal(await form.getByText('Ada Lovelace').count(), 0)
    assert.equal(await form.getByText(`${first.id} ·`).count(), 0)
    await petstore().faults.clear()
    await form.getByText(`${second.id} ·`).waitFor()
  })

  async function openAt(pet: Pet): Promise<Page> {
    const page = await open(`pets?at=${pet.id}`)
    await rowOf(page, pet.id).click()
    await page.keyboard.press('Escape')
    return page
  }
})

/** Resolves to the milliseconds for which a button is shown before it can be pressed. */
function untilEnabled(name: string): string {
  return `new Promise((done) => {
    let shownMs
    const seen = new MutationObserver(() => {
      const button = document.querySelector('[aria-label="${name}"]')
      if (button === null) return
      shownMs ??= performance.now()
      if (!button.disabled) done(performance.now() - shownMs)
    })
    seen.observe(document.body, { subtree: true, childList: true, attributes: true })
  })`
}
