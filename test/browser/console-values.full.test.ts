import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { parseJson, stringifyJson } from '../../src/contract/int64-json.ts'
import { expectAccessible, rowOf } from '../harness/console-page.ts'
import { useConsoleStore } from '../harness/console-store.ts'
import { hostileTexts } from '../harness/hostile-texts.ts'

/** The first id that a double cannot hold. */
const firstId = 9_007_199_254_740_993n
const [image, script, bidi, long] = hostileTexts as [string, string, string, string]
const phone = { viewport: { width: 390, height: 844 } }

const fixture = {
  categories: [
    { name: image, description: script },
    { name: `${bidi} too`, description: long },
  ],
  pets: hostileTexts.map((name) => ({ name, category: image, status: 'available', quantity: 2 })),
  orders: hostileTexts.map((pet) => ({ pet, reference: [...pet].slice(0, 200).join('') })),
}

describe('values that others wrote', () => {
  const { open, petstore } = useConsoleStore({ firstId, fixture, orderHoldMs: 900_000 })

  for (const [name, options] of Object.entries({ desk: {}, phone })) {
    it(`are shown as text on every page, on a ${name}`, async () => {
      for (const path of ['pets', 'orders', 'inventory', 'categories', 'overview']) {
        const page = await open(path, petstore().key, options)
        await page.getByText(image).first().waitFor()
        await page.getByText('U+202E').first().waitFor()
        await expectOnlyText(page, path)
        await expectAccessible(page, path)
      }
    })
  }

  it('are shown as text in forms, questions, messages and the palette', async () => {
    const page = await open('pets')
    const nameOn = page.getByRole('textbox', { name: 'Name', exact: true })
    for (const index of hostileTexts.keys()) {
      const id = firstId + BigInt(index)
      await rowOf(page, id).click()
      await nameOn.fill(`${script} ${index}`)
      await request('PATCH', `/pets/${id}`, { name: `${bidi} ${image} ${index}` })
      await nameOn.press('Enter')
      await page.getByText('Theirs:').waitFor()
      await expectOnlyText(page, 'a question')
      await page.getByRole('button', { name: 'Keep theirs' }).click()
      await page.getByRole('button', { name: `Withdraw pet ${id}` }).click()
      await page.getByRole('region', { name: 'Messages' }).getByText(image).waitFor()
      await expectOnlyText(page, 'a message')
      await page.getByRole('button', { name: 'Undo' }).click()
    }

    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Find a pet by name').waitFor()
    await page.keyboard.type(image)
    await page.getByText(`Find pets named “${image}`).waitFor()
    await page.locator('[data-action]').filter({ hasText: 'onerror' }).nth(1).waitFor()
    await expectOnlyText(page, 'the palette')
    await page.keyboard.press('Enter')
    await page.getByRole('row').getByText(image).first().waitFor()
    await expectOnlyText(page, 'what was found')
    await petstore().reset()
  })

  it('keep every digit of an id, in lists, forms, addresses and requests', async () => {
    const page = await open('pets')
    const id = firstId + 2n
    await rowOf(page, firstId).getByText(String(firstId)).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Find a pet by name').fill(String(id))
    await page.getByText(`Go to pet ${id}`).click()
    await rowOf(page, id).waitFor()
    assert.match(page.url(), new RegExp(`at=${id}$`))

    await rowOf(page, id).hover()
    await page.getByRole('button', { name: `Order pet ${id}` }).click()
    await page.getByRole('form').getByText(`${id} ·`).waitFor()
    await page.getByRole('button', { name: 'Place', exact: true }).click()
    await page.getByText(/^Order \d+ was placed\.$/).waitFor()
    const orders = (await request('GET', `/store/orders?petId=${id}&sort=-id`)) as { id: bigint }[]
    const placed = orders[0]?.id
    assert.ok(placed !== undefined && placed > BigInt(Number.MAX_SAFE_INTEGER))
    await page.getByText(`Order ${placed} was placed.`).waitFor()
    await page.getByRole('button', { name: `Ship order ${placed}` }).click()
    await page.getByRole('button', { name: 'Now', exact: true }).click()
    await rowOf(page, placed).getByText('Shipped').waitFor()

    await page.goto(page.url().replace(/console\/.*/, `console/inventory?at=${id}`))
    await rowOf(page, id).waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'In stock' }).fill('12')
    await page.keyboard.press('Enter')
    await page.getByText(`Pet ${id}: 12 in stock.`).waitFor()
    const [item] = (await request('GET', `/inventory?petId=${id}`)) as { quantity: number }[]
    assert.equal(Number(item?.quantity), 12)
  })

  async function request(method: string, path: string, body?: unknown): Promise<unknown> {
    const { baseUrl, key } = petstore()
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: stringifyJson(body) }),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    return parseJson(await response.text())
  }
})

/** No markup of a text became an element, no script of it ran, and nothing is wider than the window. */
async function expectOnlyText(page: Page, where: string): Promise<void> {
  assert.equal(await page.locator('img, script:not([type=module])').count(), 0, where)
  assert.doesNotMatch(await page.title(), /^\d$/, where)
  const [scroll, client] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number]
  assert.ok(scroll <= client, `${where} is ${scroll} wide in a window of ${client}`)
}
