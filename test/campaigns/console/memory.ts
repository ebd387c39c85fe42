import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

const everyMs = 30_000
/** The heap at the end, compared with that after the first minute. */
const growthMaxBytes = 5_000_000

type Sample = { heapBytes: number; nodes: number; listeners: number }

/** Measures the memory of a page each half minute while it is used. */
export function watchMemory(page: Page) {
  const startMs = performance.now()
  const samples: Sample[] = []
  return {
    /** Takes a sample where one is due. */
    async measure() {
      if (samples.length <= (performance.now() - startMs) / everyMs)
        samples.push(await sampleOf(page))
    },
    /** Prints the samples; throws where the memory grows. */
    report(what: string) {
      const text = samples.map(
        ({ heapBytes, nodes, listeners }) =>
          `${(heapBytes / 1e6).toFixed(1)}/${nodes}/${listeners}`,
      )
      console.log(`${what}; each half minute heap in MB/nodes/listeners:`, text.join(' '))
      const settled = samples[2] ?? samples[0]
      const grown = (samples.at(-1)?.heapBytes ?? 0) - (settled?.heapBytes ?? 0)
      assert.ok(grown < growthMaxBytes, `the memory grows by ${grown} bytes`)
    },
  }
}

async function sampleOf(page: Page): Promise<Sample> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  await session.detach()
  return { heapBytes: usedSize, nodes, listeners: jsEventListeners }
}
