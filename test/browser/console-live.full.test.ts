import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { rowOf } from '../harness/console-page.ts'
import { useConsoleStore } from '../harness/console-store.ts'

const stream = /\/v1\/events(?:\?after=\d+)?$/

describe('what others change while the console is open', () => {
  const { open, send, petstore } = useConsoleStore({ seed: 30 })

  it('appears in lists, and nothing is polled', async () => {
    const page = await openWithClock('pets')
    const polls = countPolls(page)
    await pass(page)
    assert.equal(polls(), 0)

    await send('PATCH', '/pets/2', { name: 'Renamed by another' })
    await rowOf(page, 2).getByText('Renamed by another').waitFor()
  })

  it('is polled while the stream fails, and not any more once it is open again', async () => {
    const page = await open('pets')
    await rowOf(page, 1).waitFor()
    await page.clock.install()
    // It begins, and is cut.
    await page.route(stream, (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: 'retry: 1000\nid: 1\n\n' }),
    )
    const opened = page.waitForResponse(stream)
    await page.reload()
    await opened
    await page.route(stream, (route) => route.abort())
    for (let polls = 0; polls < 3; polls++) await page.waitForResponse(/\/v1\/pets\?.*limit=100/)
    await send('PATCH', '/pets/3', { name: 'Renamed without a stream' })
    await rowOf(page, 3).getByText('Renamed without a stream').waitFor()
    assert.equal(await page.getByText('cannot be reached').count(), 0)

    const openedAgain = page.waitForResponse(
      async (response) => stream.test(response.url()) && response.status() === 200,
    )
    await page.unrouteAll()
    await openedAgain
    await pass(page, 2)
    const polls = countPolls(page)
    await pass(page)
    assert.equal(polls(), 0)
  })

  it('is not asked for in a hidden tab, which closes its stream', async () => {
    const page = await openWithClock('pets')
    const count = async () => (await petstore().requests()).length
    const closed = page.waitForEvent('requestfailed', (request) => stream.test(request.url()))

    await show(page, 'hidden')
    await closed
    await page.clock.runFor(5_000)
    const before = await count()
    await page.clock.runFor(600_000)

    assert.equal(await count(), before)
    await send('PATCH', '/pets/1', { name: 'Renamed while hidden' })
    const opened = page.waitForResponse(stream)
    await show(page, 'visible')
    await opened
    await rowOf(page, 1).getByText('Renamed while hidden').waitFor()
  })

  /**
   * Lets 8 s pass on the page, in which it would poll five times, in steps that let responses arrive. A stream that is silent for
   * 20 s is opened again.
   */
  async function pass(page: Page, steps = 4): Promise<void> {
    for (let step = 0; step < steps; step++) {
      await page.clock.runFor(2_000)
      await page.evaluate(`fetch('../v1/health/live').then((response) => response.text())`)
    }
  }

  /** A page whose stream is open, and whose time can be moved on. */
  async function openWithClock(path: string): Promise<Page> {
    const page = await open(path)
    await rowOf(page, 1).waitFor()
    await page.clock.install()
    const opened = page.waitForResponse(stream)
    await page.reload()
    await opened
    await rowOf(page, 1).waitFor()
    // What is fetched again when the stream opens has come.
    await pass(page, 2)
    return page
  }
})

/** Counts the requests for rows from now on. */
function countPolls(page: Page): () => number {
  let polls = 0
  page.on('request', (request) => {
    if (/\/v1\/pets\?.*limit=100/.test(request.url())) polls += 1
  })
  return () => polls
}

/** As a browser tells a page whether anybody sees it. */
async function show(page: Page, state: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    Object.defineProperty(document, 'hidden', { value: ${state === 'hidden'}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
}
