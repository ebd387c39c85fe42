import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'
import { Unavailable } from '../errors.ts'
import { append } from './append.ts'
import { createSpools, type Spool } from './spool.ts'

function start(t: TestContext, totalMaxBytes = 1_000_000) {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-spool-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const options = { spoolDirectory: directory, spoolMaxBytes: totalMaxBytes, random }
  return { directory, openSpool: createSpools(options) }
}

let named = 0

/** Different bytes each time, which is enough for a name. */
const random = (count: number) => Buffer.from(String(++named).padStart(count, '0'))

const add = ({ fill }: Spool, bytes: number) => fill((file) => append(file, Buffer.alloc(bytes)))

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(source)).toString()
}

it('another thread fills a file, which a close leaves open until the thread has ended', async (t) => {
  const { openSpool } = start(t)
  const spool = openSpool()

  const filled = spool.fill(async (file) => {
    const appending = new URL('./append.ts', import.meta.url).href
    const worker = new Worker(
      `const { parentPort, workerData: file } = require('node:worker_threads')
      import(${JSON.stringify(appending)}).then(async ({ append }) => {
        await append(file, Buffer.from('from a worker'))
        parentPort.postMessage(undefined)
        parentPort.once('message', () => append(file, Buffer.from('!')).catch(({ name }) => parentPort.postMessage(name)))
      })`,
      { eval: true, workerData: file },
    )
    const told = () => new Promise((resolve) => worker.once('message', resolve))
    await told()
    assert.equal(await textOf(spool.read()), 'from a worker')
    spool.close()
    worker.postMessage('go on')
    assert.equal(await told(), 'Unavailable')
    await worker.terminate()
  })

  await filled
  await assert.rejects(textOf(spool.read()), /closed/)
})

it('503: all files together are bounded, in bytes and in number; a close gives the space back', async (t) => {
  const { openSpool } = start(t, 10)
  const first = openSpool()
  const second = openSpool()
  await add(first, 6)

  await assert.rejects(add(second, 5), Unavailable)
  await add(second, 4)
  first.close()
  first.close()
  await add(second, 6)
  await assert.rejects(add(second, 1), Unavailable)
  second.close()

  const many = Array.from({ length: 100 }, openSpool)
  assert.throws(openSpool, Unavailable)
  for (const spool of many) spool.close()
  openSpool().close()
})

it('503: a folder that is not there, and a file that cannot be written', async (t) => {
  const spoolDirectory = join(tmpdir(), 'petstore-no-such-folder')
  const openSpool = createSpools({ spoolDirectory, spoolMaxBytes: 10, random })
  assert.throws(openSpool, Unavailable)

  using spool = start(t).openSpool()
  await spool.fill(async (file) => {
    await assert.rejects(append({ ...file, fd: 9_999 }, Buffer.from('a')), Unavailable)
  })
  assert.equal(spool.sizeBytes(), 0)
})
