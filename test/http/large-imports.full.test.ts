import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { type Service, settingsFor, startService } from '../processes/process.ts'
import { memoryMiB } from '../processes/processor-time.ts'

const mebibyte = 2 ** 20
const gibibyte = 2 ** 30
/** Growth of the memory of a service that does not depend on the size of the file. */
const grownMaxMiB = 300

const rowBytes = 32_768
const header = 'name,categoryId,notes\n'.padEnd(rowBytes, '\n')
const row = `Rex,7,${'x'.repeat(rowBytes - 7)}\n`

/** A file of this size: a row in each 32 KiB of it, behind its header. */
function* largeFile(bytes: number): Generator<string> {
  yield header
  for (let written = rowBytes; written < bytes; written += rowBytes) yield row
}

function* oneRow(bytes: number): Generator<string> {
  yield 'name,categoryId\n"'
  for (let written = 0; written < bytes; written += rowBytes) yield 'x'.repeat(rowBytes)
  yield '",7\n'
}

function* wrongRows(count: number): Generator<string> {
  yield 'name,categoryId\n'
  for (let row = 0; row < count; row += 1_000) yield ',x\n'.repeat(1_000)
}

describe('files of any size', () => {
  const home = mkdtempSync(join(tmpdir(), 'petstore-large-'))
  let service: Service
  before(async () => {
    service = await startService({ env: settingsFor(home) })
  })
  after(async () => {
    await service?.kill()
    rmSync(home, { recursive: true, force: true })
  })

  /** Sends a file while it is made; resolves with the response, and by how much the memory of the service has grown. */
  async function send(file: Iterable<string>, { query = '', headers = {} } = {}) {
    const beforeMiB = memoryMiB(service.pid)
    let mostMiB = beforeMiB
    const watching = setInterval(() => {
      mostMiB = Math.max(mostMiB, memoryMiB(service.pid))
    }, 50)
    const sent = request(`${service.baseUrl}/pets/import${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'text/csv', ...headers },
    })
    // A refusal comes before the end of the file.
    sent.on('error', () => undefined)
    const source = Readable.from(file, { objectMode: false })
    source.pipe(sent)
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      const text = Buffer.concat(await Array.fromAsync(response)).toString()
      return { status: response.statusCode, text, grownMiB: mostMiB - beforeMiB }
    } finally {
      clearInterval(watching)
      source.destroy()
      sent.destroy()
    }
  }

  it('200: 1 GiB, in flat memory', async (t) => {
    const { status, text, grownMiB } = await send(largeFile(gibibyte))

    t.diagnostic(`grown by ${grownMiB.toFixed(0)} MiB`)
    assert.equal(status, 200, text)
    assert.equal(JSON.parse(text).created, gibibyte / rowBytes - 1)
    assert.ok(grownMiB < grownMaxMiB, `${grownMiB} MiB`)
  })

  it('413: 2 GiB, with a length and without one', async (t) => {
    const headers = { 'content-length': String(2 * gibibyte) }
    const declared = await send(largeFile(2 * gibibyte), { headers })
    const { status, text, grownMiB } = await send(largeFile(2 * gibibyte))

    t.diagnostic(`grown by ${grownMiB.toFixed(0)} MiB`)
    for (const refused of [declared, { status, text }]) {
      assert.equal(refused.status, 413, refused.text)
      assert.match(refused.text, /body_too_large/)
    }
    assert.ok(grownMiB < grownMaxMiB, `${grownMiB} MiB`)
  })

  it('413: one row of 100 MiB, in flat memory', async (t) => {
    const { status, text, grownMiB } = await send(oneRow(100 * mebibyte))

    t.diagnostic(`grown by ${grownMiB.toFixed(0)} MiB`)
    assert.equal(status, 413, text)
    assert.match(text, /row on line 2 is larger/)
    assert.ok(grownMiB < grownMaxMiB, `${grownMiB} MiB`)
  })

  it('422: a million wrong rows, of which the first thousand are named, in flat memory', async (t) => {
    const headers = { accept: 'application/problem+json' }
    const { status, text, grownMiB } = await send(wrongRows(1_000_000), { headers })

    t.diagnostic(`grown by ${grownMiB.toFixed(0)} MiB`)
    assert.equal(status, 422, text.slice(0, 500))
    assert.match(text, /1000000 of 1000000 rows are wrong/)
    assert.equal(JSON.parse(text).errors.length, 100)
    assert.ok(grownMiB < grownMaxMiB, `${grownMiB} MiB`)
  })
})
