import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectAccessible, holdMessages, rowOf } from '../harness/console-page.ts'
import { useConsoleStore } from '../harness/console-store.ts'

type Order = { id: number; petId: number; status: string; quantity: number; expiresAt?: string }
type Pet = { id: number; name: string; status: string }

const newPet = { name: 'Rex', categoryId: 1, status: 'available' }
const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

describe('the pages of orders, inventory, categories and the overview', () => {
  const { open, send, petstore } = useConsoleStore({ seed: 60, orderHoldMs: 900_000 })
  const addPet = () => send('POST', '/pets', newPet) as Promise<Pet>
  const ordersOf = (petId: number) =>
    send('GET', `/store/orders?petId=${petId}`) as Promise<Order[]>

  it('places one order for a double click, counts its hold down, undoes and repeats its shipping, delivers it', async () => {
    const pet = await addPet()
    const page = await open(`pets?at=${pet.id}`)
    await holdMessages(page)

    await rowOf(page, pet.id).hover()
    await page.getByRole('button', { name: `Order pet ${pet.id}` }).click()
    await page.getByRole('button', { name: 'Place', exact: true }).dblclick()
    await page.getByText(/^Order \d+ was placed\.$/).waitFor()
    const [order, ...others] = await ordersOf(pet.id)
    assert.ok(order)
    assert.deepEqual(others, [])
    await rowOf(page, order.id)
      .getByText(/^hold ends in 1[0-5] min/)
      .waitFor()
    const now = page.getByRole('button', { name: 'Now', exact: true })
    await page.getByRole('button', { name: `Ship order ${order.id}` }).click()
    await rowOf(page, order.id).getByText('Shipping …').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await rowOf(page, order.id).getByText('Pending').waitFor()
    assert.equal((await ordersOf(pet.id))[0]?.status, 'pending')
    await page.getByRole('button', { name: `Ship order ${order.id}` }).click()
    await now.click()
    await rowOf(page, order.id).getByText('Shipped').waitFor()
    await page.getByRole('button', { name: `Deliver order ${order.id}` }).click()
    await now.click()
    await rowOf(page, order.id).getByText('Delivered').waitFor()

    assert.equal((await ordersOf(pet.id))[0]?.status, 'delivered')
    await expectAccessible(page, 'orders')
  })

  it('names the order that took the pet, and places none', async () => {
    const pet = await addPet()
    const page = await open(`orders?orderPet=${pet.id}`)
    await page.getByText(pet.name).first().waitFor()
    const first = (await send('POST', '/store/orders', { petId: pet.id })) as Order

    await page.getByRole('button', { name: 'Place', exact: true }).click()

    await page.getByRole('alert').getByText(`Held by order ${first.id} (1).`).waitFor()
    assert.equal((await ordersOf(pet.id)).length, 1)
    await expectAccessible(page, 'an order that is refused')
    await page
      .getByRole('alert')
      .getByRole('link', { name: `${first.id}`, exact: true })
      .first()
      .click()
    await page.waitForURL(new RegExp(`at=${first.id}$`))
  })

  it('sets a stock, refuses one below what orders hold, and shows what others set meanwhile', async () => {
    const pet = await addPet()
    await send('POST', '/store/orders', { petId: pet.id })
    const page = await open(`inventory?at=${pet.id}`)
    const edit = page.getByRole('button', { name: `Set the stock of pet ${pet.id}` })

    await rowOf(page, pet.id).hover()
    await edit.click()
    await page.getByLabel('In stock').fill('0')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('In stock').fill('7')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await rowOf(page, pet.id)
      .getByText(/^7 in stock$/)
      .waitFor()

    await rowOf(page, pet.id).hover()
    await edit.click()
    await page.getByLabel('In stock').fill('9')
    await send('PATCH', `/inventory/${pet.id}`, { quantity: 8 })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody else changed this stock').waitFor()
    await expectAccessible(page, 'a stock that others changed')
    await page.getByRole('button', { name: 'Save mine' }).click()
    await rowOf(page, pet.id)
      .getByText(/^9 in stock$/)
      .waitFor()

    const [stock] = (await send('GET', `/inventory?petId=${pet.id}`)) as { quantity: number }[]
    assert.equal(stock?.quantity, 9)
  })

  it('the overview counts, names the holds that expire next, and is the same on a phone', async () => {
    const pet = await addPet()
    await send('POST', '/store/orders', { petId: pet.id })
    for (const options of [{}, phone]) {
      const page = await open('overview', petstore().key, options)
      await page.getByRole('table', { name: 'Pets by status' }).getByText('Available').waitFor()
      await page
        .getByText(/hold ends in \d+ min/)
        .first()
        .waitFor()
      await expectAccessible(page, 'the overview')
    }
  })

  it('shows all that is known of an order, and what can be done to it', async () => {
    const pet = await addPet()
    const { id } = (await send('POST', '/store/orders', {
      petId: pet.id,
      reference: 'Mrs Finch',
    })) as Order
    const page = await open(`orders?at=${id}`, petstore().key, phone)
    await rowOf(page, id).waitFor()

    await page.getByRole('grid').focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('region', { name: 'Order', exact: true })
    await panel.getByText('Mrs Finch').waitFor()
    await expectAccessible(page, 'an order')
    await panel.getByRole('button', { name: `Ship order ${id}` }).click()
    await page.getByRole('button', { name: 'Now', exact: true }).click()
    await panel.getByText('Shipped').first().waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })

    assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'grid')
  })
})
