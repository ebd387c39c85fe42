/**
 * Asks a service for /health/live, each time on a connection of its own, and for a page: BASE_URL KEY. Prints a line when both have
 * responded, and at a line on its input a `Watched` as JSON.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** The slowest responses, in milliseconds, and what was not 200. */
export type Watched = { healthMs: number; pageMs: number; refused: string[] }

const [baseUrl = '', key = ''] = process.argv.slice(2)
const pauseMs = 50
let watched: Watched = { healthMs: 0, pageMs: 0, refused: [] }

async function ask(url: string, headers: Record<string, string>): Promise<number> {
  const startMs = performance.now()
  const response = await fetch(url, { headers })
  await response.text()
  if (!response.ok) watched.refused.push(`${url} answered ${response.status}`)
  return performance.now() - startMs
}

async function askHealth() {
  const tookMs = await ask(baseUrl.replace(/\/v1$/, '/health/live'), { connection: 'close' })
  watched.healthMs = Math.max(watched.healthMs, tookMs)
}

async function askPage() {
  const tookMs = await ask(`${baseUrl}/pets`, { authorization: `Bearer ${key}` })
  watched.pageMs = Math.max(watched.pageMs, tookMs)
}

async function forever(act: () => Promise<void>) {
  while (true) {
    await act()
    await sleep(pauseMs)
  }
}

// Loads what fetch needs, which takes time that is not the service's.
await askPage()
await askHealth()
watched = { healthMs: 0, pageMs: 0, refused: [] }
console.log('{}')
Promise.all([forever(askHealth), forever(askPage)]).catch((error) => {
  console.error(error)
  process.exit(1)
})
await once(process.stdin, 'data')
console.log(JSON.stringify(watched))
process.exit(0)
