import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '../harness/until.ts'
import { startListening } from './start-listening.ts'

const rows = 450
const file = `id,name,categoryId\n1,Max,3\n${',Rex,7\n'.repeat(rows)}`

/** The stages of an import: the name of the write that a connection is cut at, and the batches of rows that are stored. */
const stages = [
  ['the file', 0],
  ['tryImportedRows', 0],
  ['readImportProgress', 0],
  ['first batch', 1],
  ['last batch', 5],
] as const

for (const [stage, batchesThen] of stages) {
  it(`a connection that is cut at ${stage} leaves no file, and the same request ends with the whole report`, async () => {
    /** The service notices it. */
    const left = Promise.withResolvers<void>()
    const { api, context, key, port } = await startListening(
      {},
      {
        prepare: ({ server }) =>
          server.server.on('request', ({ socket }) =>
            socket.once('end', left.resolve).once('close', left.resolve),
          ),
      },
    )
    await api.createPet()
    const { openSpool } = context
    const spools: { isClosed: boolean }[] = []
    context.openSpool = () => {
      const spool = openSpool?.() ?? assert.fail()
      const state = { isClosed: false }
      spools.push(state)
      const close = () => {
        state.isClosed = true
        spool.close()
      }
      return { ...spool, close, [Symbol.dispose]: close }
    }
    const leaving = new AbortController()
    let batches = 0
    const write = context.db.write.bind(context.db) as (...all: unknown[]) => Promise<unknown>
    Object.assign(context.db, {
      async write(one: { name: string }, ...rest: unknown[]) {
        const result = await write(one, ...rest)
        const isBatch = one.name === 'storeImportedRows'
        if (isBatch) batches += 1
        const reached =
          one.name === stage ||
          (isBatch && stage === 'first batch' && batches === 1) ||
          (isBatch && stage === 'last batch' && batches === batchesThen)
        if (reached) await leave()
        return result
      },
    })
    async function leave() {
      leaving.abort()
      await left.promise
    }
    async function leaveOnceSpooling() {
      await until(() => spools.length > 0)
      await leave()
    }
    const send = (signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${port}/v1/pets/import`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'text/csv',
          'idempotency-key': 'cut',
        },
        body: stage === 'the file' && signal ? halfOf(file, leaveOnceSpooling) : file,
        ...(signal ? { signal } : {}),
        duplex: 'half',
      } as RequestInit)

    await assert.rejects(send(leaving.signal))
    await until(() => spools[0]?.isClosed === true)
    assert.equal(batches, batchesThen)
    const again = await send()

    assert.equal(again.status, 200)
    const report = (await again.json()) as { rows: number; created: number; updated: number }
    assert.deepEqual([report.rows, report.created, report.updated], [rows + 1, rows, 1])
    const counted = await api.get('/v1/pets?limit=1', { headers: { prefer: 'count=exact' } })
    assert.equal(counted.headers['x-total-count'], String(rows + 1))
    assert.ok(spools.every(({ isClosed }) => isClosed))
  })
}

/** The first half of a file; then its client leaves. */
function halfOf(text: string, leave: () => Promise<void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, text.length / 2)))
    },
    pull: () => void leave(),
  })
}
