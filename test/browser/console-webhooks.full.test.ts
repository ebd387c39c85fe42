import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { expectAccessible, holdMessages, rowOf, rowsOn } from '../harness/console-page.ts'
import { buttonOn, fieldOn } from '../harness/console-state.ts'
import { useConsoleStore } from '../harness/console-store.ts'
import { aReceiver } from '../harness/receiver.ts'
import { until } from '../harness/until.ts'

type Issued = { id: number; status: string; types?: string[] }

const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

describe('the webhooks page', () => {
  const { open, petstore, send } = useConsoleStore({ seed: 5 })

  const create = (body: object) => send('POST', '/webhooks', body) as Promise<Issued>
  const webhookOf = (id: number) => send('GET', `/webhooks/${id}`) as Promise<Issued>

  it('creates a webhook by keyboard, shows its secret once, tests it, shows the delivery, and deletes it unless that is undone', async (t) => {
    const receiver = await aReceiver(t, () => ({ status: 200, body: 'Thanks\nfor it' }))
    const page = await open('webhooks')
    const { keyboard } = page
    const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
    await page.getByText('There are no webhooks').waitFor()
    await holdMessages(page)

    await keyboard.press('n')
    await keyboard.type('http://10.0.0.1/hook')
    await keyboard.press('Enter')
    await page.getByText('Address is refused: Webhooks are sent to public addresses').waitFor()
    await expectAccessible(page, 'an address that is refused')
    await fieldOn(page, 'Address').fill(receiver.url)
    await buttonOn(page, 'Nothing').click()
    await buttonOn(page, 'Create').click()
    await page.getByText('Choose at least one.').waitFor()
    await box('Order placed').check()
    await buttonOn(page, 'Create').click()
    await buttonOn(page, 'Copy').waitFor()
    const secret = await page.getByRole('dialog').locator('pre').textContent()
    await expectAccessible(page, 'a secret that is shown once')
    const guide = await page.getByRole('link', { name: 'Receive a webhook' }).getAttribute('href')
    assert.equal((await fetch(guide ?? '')).status, 200)
    await buttonOn(page, 'Done').click()
    await rowOf(page, 1).getByText('Order placed').waitFor()
    assert.ok(secret && !(await page.content()).includes(secret))

    await page.getByRole('grid').focus()
    await keyboard.press('t')
    await page.getByText(/^Webhook 1 took the test event: Response 200 after \d+ ms\.$/).waitFor()
    await keyboard.press('d')
    const delivered = page.getByRole('row').filter({ hasText: 'Webhook tested' })
    await delivered.getByText('Delivered').waitFor()
    await delivered.getByText('Delivered').click()
    await page.getByRole('region', { name: 'Webhook tested' }).getByText('for it').waitFor()
    await page.getByText('"webhook.tested"').waitFor()
    await expectAccessible(page, 'a delivery')
    const [message] = receiver.received
    assert.ok(message)
    const { headers, text } = message
    assert.ok(new Webhook(secret).verify(text, headers as Record<string, string>))
    await page.getByText(`webhook-id: ${headers['webhook-id']}`).waitFor()

    await keyboard.press('Escape')
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await rowOf(page, 1).getByText('Order placed').click()
    await keyboard.press('Escape')
    await keyboard.press('Delete')
    await buttonOn(page, 'Undo').click()
    await rowOf(page, 1).getByText('Enabled').waitFor()
    await keyboard.press('Delete')
    await buttonOn(page, 'Now').click()
    await page.getByText('Webhook 1 was deleted.').waitFor()
    assert.deepEqual(await send('GET', '/webhooks'), [])
  })

  it('says why a webhook is disabled; once it is resumed, what waits for it is sent', async (t) => {
    let status = 410
    const receiver = await aReceiver(t, () => ({ status }))
    const { id } = await create({ url: receiver.url, types: ['pet.created'] })
    const page = await open('webhooks')
    await rowOf(page, id).getByText('Enabled').waitFor()

    await send('POST', '/pets', { name: 'Rex', categoryId: 1 })
    await rowOf(page, id).getByText('Disabled: response 410').waitFor()
    await page.goto(`${new URL(page.url()).origin}/console/webhooks?of=${id}`)
    const delivery = page.getByRole('row').filter({ hasText: 'Pet added' })
    await delivery.getByText('1: Response 410').waitFor()
    await buttonOn(page, 'Send all failed again').click()
    await page.getByText('No delivery has failed.').waitFor()

    status = 204
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await rowOf(page, id).click({ position: { x: 5, y: 5 } })
    await page.keyboard.press('Escape')
    await page.keyboard.press('p')
    await page.getByText(`Webhook ${id} is enabled.`).waitFor()
    await page.goBack()
    await delivery.getByText('Delivered').waitFor()
    await delivery.getByText('2: Response 204').waitFor()

    assert.equal((await webhookOf(id)).status, 'enabled')
    assert.equal(
      receiver.received[0]?.headers['webhook-id'],
      receiver.received[1]?.headers['webhook-id'],
    )
  })

  it('says when the next attempt is, sends one again, and replays from an event', async (t) => {
    let status = 500
    const receiver = await aReceiver(t, () => ({ status, headers: { 'retry-after': '3000' } }))
    const { id } = await create({ url: receiver.url, types: ['category.created'] })
    for (const name of ['Newts', 'Toads']) await send('POST', '/categories', { name })
    const page = await open(`webhooks?of=${id}`, petstore().key, phone)
    const rows = page.getByRole('row').filter({ hasText: 'Category added' })
    await rows
      .first()
      .getByText(/^Next attempt in \d+ min$/)
      .waitFor()
    await rows.first().getByText('1: Response 500').waitFor()
    await expectAccessible(page, 'deliveries')

    status = 204
    await rows.first().click()
    await page.getByRole('button', { name: /^Send again delivery/ }).click()
    await page.getByText(/^Delivery \d+ is sent again\.$/).waitFor()
    await page.getByRole('region', { name: 'Category added' }).getByText('Delivered').waitFor()
    await page.getByRole('button', { name: /^Replay from delivery/ }).click()
    await fieldOn(page, 'After the event').fill('999999')
    await buttonOn(page, 'Replay').last().click()
    await page.getByRole('alert').getByText('must be a position in the log of events').waitFor()
    await expectAccessible(page, 'a replay that is refused')
    // Both may be sent at the same time, and arrive in either order.
    const firstId = Math.min(...receiver.events().map(({ id }) => id))
    await fieldOn(page, 'After the event').fill(String(firstId - 1))
    const before = receiver.received.length
    await buttonOn(page, 'Replay').last().click()
    await page.getByText(/^The events after \d+ are sent again\.$/).waitFor()
    await page.keyboard.press('Escape')
    // A row may say so of the attempt before the replay.
    await until(() => receiver.received.length >= before + 2)
    await rows.nth(1).getByText('Delivered').waitFor()

    assert.equal((await rowsOn(page)).length, 2)
  })

  it('changes a webhook, pauses it, and rotates its secret', async (t) => {
    const receiver = await aReceiver(t)
    const { id } = await create({ url: receiver.url, types: ['order.placed'] })
    const page = await open('webhooks')
    await rowOf(page, id).click({ position: { x: 5, y: 5 } })
    await buttonOn(page, 'Everything').click()
    await fieldOn(page, 'Description').fill('Mailer')
    await buttonOn(page, 'Save').click()
    await rowOf(page, id).getByText('Everything').waitFor()
    assert.equal((await webhookOf(id)).types, undefined)

    await rowOf(page, id).click({ position: { x: 5, y: 5 } })
    await buttonOn(page, 'Pause').click()
    await rowOf(page, id).getByText('Paused').waitFor()
    await page.keyboard.press('t')
    await page.getByText(`Webhook ${id} is paused: nothing is sent to it.`).waitFor()
    await page.keyboard.press('r')
    await buttonOn(page, 'Rotate').click()
    await page
      .getByRole('dialog')
      .locator('pre')
      .getByText(/^whsec_/)
      .waitFor()
    await buttonOn(page, 'Done').click()
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByText('Webhook secret rotated').first().waitFor()
    // Texts of people are isolated, in whatever direction they run.
    await page.getByText(/Receives: .?Order placed.? → everything/).waitFor()
    await page
      .getByRole('row')
      .filter({ hasText: `Webhook ${id}` })
      .first()
      .click()
    await page.getByRole('link', { name: `Webhook ${id}` }).click()
    await rowOf(page, id).getByText('Paused').waitFor()
  })
})
