import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectAccessible, rowOf, rowsOn } from '../harness/console-page.ts'
import { useConsoleStore } from '../harness/console-store.ts'

type Pet = { id: number }

describe('the history of records', () => {
  const { open, send, petstore } = useConsoleStore({ seed: 10 })
  const addPet = () =>
    send('POST', '/pets', { name: 'Rex', categoryId: 1, status: 'pending' }) as Promise<Pet>

  it('is the page of events: the newest first, as they come, by type, pet and order', async () => {
    const pet = await addPet()
    const page = await open('events')
    await page
      .getByRole('row')
      .filter({ hasText: `Pet ${pet.id}, Rex` })
      .waitFor()

    // Rows do not move under the pointer.
    await page.mouse.move(0, 0)
    await send('PATCH', `/pets/${pet.id}`, { name: 'Max', status: 'available' })
    const changed = page.getByRole('row').filter({ hasText: 'Pet changed' })
    await changed.getByText(/^Name: .Rex. → .Max., Status: .pending. → .available.$/).waitFor()
    await changed.getByText('first').waitFor()
    assert.match((await rowsOn(page))[0] ?? '', /Pet changed/)
    await changed.getByText('Pet changed').click()
    await page.getByRole('region', { name: 'Pet changed' }).getByText('Request').waitFor()
    await expectAccessible(page, 'an event')
    await page.keyboard.press('Escape')

    const order = (await send('POST', '/store/orders', { petId: pet.id })) as Pet
    await page.getByRole('textbox', { name: 'Order number' }).fill(String(order.id))
    await page.getByRole('row').filter({ hasText: 'Pet changed' }).waitFor({ state: 'detached' })
    const [only = '', ...others] = await rowsOn(page)
    assert.match(only, /Order placedOrder \d+, Maxby first$/)
    assert.deepEqual(others, [])
    await page.getByRole('combobox', { name: 'What' }).click()
    await page.getByRole('option', { name: 'Key revoked' }).click()
    await page.getByText('No event matches').waitFor()
    await page.getByRole('button', { name: 'Show all events' }).click()
    await page
      .getByRole('row')
      .filter({ hasText: `Pet ${pet.id}, Max` })
      .first()
      .click()
    await page.getByRole('link', { name: `Pet ${pet.id}, Max` }).click()
    await rowOf(page, pet.id).getByText('Max').waitFor()
  })

  it('is in the form of a pet and beside an order, and follows their changes', async () => {
    const pet = await addPet()
    await send('PATCH', `/pets/${pet.id}`, { status: 'available' })
    const page = await open(`pets?at=${pet.id}`)
    const history = page.getByRole('region', { name: 'History' })
    await rowOf(page, pet.id).click()
    await history.getByText('Pet added').waitFor()
    await send('PATCH', `/inventory/${pet.id}`, { quantity: 7 })
    await history.getByText('Stock changed').waitFor()
    assert.match((await history.getByRole('listitem').allTextContents()).join(), /1.* → .*7/)

    const order = (await send('POST', '/store/orders', { petId: pet.id })) as Pet
    await page.goto(`${new URL(page.url()).origin}/console/orders?at=${order.id}`)
    await rowOf(page, order.id).click()
    await history.getByText('Order placed').waitFor()
    await send('POST', `/store/orders/${order.id}/ship`)
    await history.getByText('Order shipped').waitFor()
  })

  it('shows what the key may read, and says why it shows nothing', async () => {
    const { id } = await addPet()
    const key = await petstore().issueKey({ scopes: ['pets:read'] })
    const page = await open('events', key)
    const added = page.getByRole('row').filter({ hasText: 'Pet added' }).first()
    await added.waitFor()
    assert.doesNotMatch((await rowsOn(page)).join(), /Order|Key|Stock/)
    await page.goto(`${new URL(page.url()).origin}/console/pets?at=${id}`)
    await rowOf(page, id).click()
    await page.getByRole('region', { name: 'History' }).getByText('Pet added').waitFor()

    await petstore().faults.add({ operation: 'listEvents', error: 'internal_error' })
    await page.goto(`${new URL(page.url()).origin}/console/events`)
    await page.getByText('The list could not be loaded').waitFor()
    await petstore().faults.clear()
    // The list may have tried by itself before the click.
    await page.getByRole('button', { name: 'Try again' }).or(added).click()
    await added.waitFor()
  })
})
