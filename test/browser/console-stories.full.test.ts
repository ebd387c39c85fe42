import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { buildConsole, holdMessages, openConsole, rowOf, signIn } from '../harness/console-page.ts'
import { useConsoleStore } from '../harness/console-store.ts'
import { sharedBrowser } from '../harness/shared-browser.ts'
import { aDirectory, ask, petstore as runPetstore } from '../processes/command.ts'
import { settingsFor, startService } from '../processes/process.ts'

type Pet = { id: number; name: string; status: string }
type Order = { id: number; petId: number; status: string }

const newPet = { name: 'Rex', categoryId: 1, status: 'available' }
const nameOn = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })
const buttonOn = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('two people at the console', () => {
  const { open, send, petstore } = useConsoleStore({ seed: 60 })
  const addPet = () => send('POST', '/pets', newPet) as Promise<Pet>

  it('an order that one of them ships cannot be cancelled by the other, who is told what happened', async () => {
    const pet = await addPet()
    const order = (await send('POST', '/store/orders', { petId: pet.id })) as Order
    const [mine, theirs] = [await open('orders'), await open('orders')]
    for (const page of [mine, theirs]) await holdMessages(page)

    await buttonOn(mine, `Cancel order ${order.id}`).click()
    await buttonOn(theirs, `Ship order ${order.id}`).click()
    await buttonOn(theirs, 'Now').click()
    await rowOf(theirs, order.id).getByText('Shipped').waitFor()
    await buttonOn(mine, 'Now').click()

    await mine.getByText(/cannot be cancelled|only a pending order/i).waitFor()
    await rowOf(mine, order.id).getByText('Shipped').waitFor()
    const [stored] = (await send('GET', `/store/orders?petId=${pet.id}`)) as Order[]
    assert.equal(stored?.status, 'shipped')
  })

  it('an edit of a pet that was withdrawn fails with a message, and keeps what was typed', async () => {
    const pet = await addPet()
    const page = await open(`pets?at=${pet.id}`)
    await rowOf(page, pet.id).click()
    await nameOn(page).fill('Typed in vain')

    await send('DELETE', `/pets/${pet.id}`)
    await nameOn(page).press('Enter')

    await page.getByRole('alert').waitFor()
    assert.equal(await nameOn(page).inputValue(), 'Typed in vain')
  })

  it('a pet that one of them changes is not withdrawn by the other, who has not seen the change', async () => {
    const pet = await addPet()
    const page = await open(`pets?at=${pet.id}`)
    await rowOf(page, pet.id).waitFor()
    await holdMessages(page)
    await page.getByRole('grid').focus()

    await page.keyboard.press('Delete')
    await buttonOn(page, 'Undo').waitFor()
    // What is withdrawn is the version that was read when it was chosen.
    await page.getByText('Withdrawing …').waitFor()
    await untilRequested('listPets', `id=${pet.id}`)
    await send('PATCH', `/pets/${pet.id}`, { name: 'Changed meanwhile' })
    await buttonOn(page, 'Now').click()

    await page.getByText('Somebody else changed it in the meantime.').waitFor()
    assert.equal(((await send('GET', `/pets?id=${pet.id}`)) as Pet[]).length, 1)
  })

  async function untilRequested(operation: string, part: string) {
    for (;;) {
      const requests = await petstore().requests({ operation })
      if (requests.some(({ target, status }) => target.includes(part) && status === 200)) return
    }
  }
})

describe('a connection that breaks', () => {
  const { open, send, petstore } = useConsoleStore({ seed: 60 })
  const addPet = () => send('POST', '/pets', newPet) as Promise<Pet>

  it('places one order where the response is lost, and says so once', async () => {
    const pet = await addPet()
    const page = await open(`orders?orderPet=${pet.id}`)
    await page.getByText('Rex').first().waitFor()

    await petstore().faults.add({ operation: 'createOrder', cut: 'after', times: 2 })
    await buttonOn(page, 'Place').dblclick()
    await page.getByText(/^Order \d+ was placed\.$/).waitFor()

    const orders = (await send('GET', `/store/orders?petId=${pet.id}`)) as Order[]
    assert.equal(orders.length, 1)
  })

  it('keeps what was typed while the service is away, and saves it when it is back', async () => {
    const page = await open('pets')
    await rowOf(page, 6).click()
    await nameOn(page).fill('Typed while nobody listened')

    await petstore().faults.add({ cut: 'before' })
    await nameOn(page).press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByText('The service cannot be reached.').waitFor()
    assert.equal(await nameOn(page).inputValue(), 'Typed while nobody listened')
    await petstore().faults.clear()
    await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' })
    await nameOn(page).press('Enter')

    await page.getByText('Pet 6 was saved.').waitFor()
    const [pet] = (await send('GET', '/pets?id=6')) as Pet[]
    assert.equal(pet?.name, 'Typed while nobody listened')
  })
})

describe('holds', () => {
  const { open, send } = useConsoleStore({ seed: 20, orderHoldMs: 6_000 })

  it('show when they end until the order shows as expired', async () => {
    const pet = (await send('POST', '/pets', newPet)) as Pet
    const page = await open('orders')
    await page.getByRole('grid').waitFor()
    // Rows that are new wait while somebody points at the list.
    await page.mouse.move(0, 0)
    const order = (await send('POST', '/store/orders', { petId: pet.id })) as Order
    const texts = new Set<string>()
    const row = rowOf(page, order.id)
    await row.waitFor()

    while (!(await row.getByText('Expired').isVisible())) {
      const text = /hold ends (in 1 min|now)/.exec((await row.textContent()) ?? '')?.[0]
      if (text !== undefined) texts.add(text)
    }

    assert.ok(texts.size >= 1, [...texts].join(', '))
  })
})

describe('a key that is revoked while somebody works', () => {
  it('asks for another one, and goes on where they were', async (t) => {
    const directory = aDirectory(t)
    const env = {
      ...settingsFor(directory),
      PETSTORE_CONSOLE: 'on',
      PETSTORE_ENVIRONMENT: 'staging',
    }
    await buildConsole()
    await using service = await startService({ args: ['serve', '--json', '--seed', '60'], env })
    const browser = await sharedBrowser()
    const { stdout } = await runPetstore(['keys', 'create', '--name', 'second', '--json'], { env })
    const second = /pet_test_\w+/.exec(stdout)?.[0] ?? ''
    const { origin } = new URL(service.baseUrl)
    const { page, problems } = await openConsole(browser, { origin, path: 'console/pets' })
    t.after(() => page.context().close())
    await signIn(page, second)
    await rowOf(page, 5).click()
    await nameOn(page).fill('Typed before')

    await ask(`${service.baseUrl}/keys/2`, service.key, { method: 'DELETE' })
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor()
    await signIn(page, service.key)
    await nameOn(page).press('Enter')
    await page.getByText('Pet 5 was saved.').waitFor()

    await rowOf(page, 5).getByText('Typed before').waitFor()
    assert.deepEqual(problems, [])
  })
})
