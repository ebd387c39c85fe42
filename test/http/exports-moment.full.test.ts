import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aDirectory, ask } from '../processes/command.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'

const rows = 30_000
const rowsOfPart = 1_000
const exports = 10

for (const engine of ['sqlite', 'postgres'] as const) {
  it(`200: on ${engine}, an export has the pets of one moment, while they are changed`, async (t) => {
    const env = settingsFor(aDirectory(t))
    if (engine === 'postgres') {
      const server = await anyPostgres()
      t.after(() => server.stop())
      env.PETSTORE_DATABASE = await server.createDatabase()
    }
    const service = await startService({ env })
    t.after(() => service.kill())
    await fill(service)
    const ending = new AbortController()
    const change = { count: 0 }
    const changing = changeBothEnds(service, change, ending.signal)

    let beside = 0
    try {
      for (let round = 0; round < exports; round++) {
        const before = change.count
        const { status, text } = await ask(`${service.baseUrl}/pets/export`, service.key)
        assert.equal(status, 200, text)
        const [head, ...lines] = text
          .trimEnd()
          .split('\r\n')
          .map((line) => line.split(','))
        assert.equal(lines.length, rows)
        const column = head?.indexOf('categoryId') ?? -1
        const [first, last] = [lines[0], lines.at(-1)].map((line) => Number(line?.[column]))
        assert.equal(last, first)
        assert.ok((first ?? 0) >= before, 'changes that were confirmed before are in it')
        if (change.count > before + 1) beside += 1
      }
    } finally {
      ending.abort()
      await changing
    }

    t.diagnostic(`${change.count} changes, beside ${beside} of ${exports} exports`)
    assert.ok(beside > 0)
    await service.stop()
  })
}

async function fill({ baseUrl, key }: Service): Promise<void> {
  for (let filled = 0; filled < rows; filled += rowsOfPart) {
    const { status, text } = await ask(`${baseUrl}/pets/import`, key, {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body: `name,categoryId\n${'Rex,0\n'.repeat(rowsOfPart)}`,
    })
    assert.equal(status, 200, text)
  }
}

/** Gives the first and the last pet the next category, both in one transaction, until the signal. */
async function changeBothEnds(
  { baseUrl, key }: Service,
  change: { count: number },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const update = { categoryId: change.count + 1 }
    const changes = [1, rows].map((id) => ({ id, update }))
    const { status, text } = await ask(`${baseUrl}/pets/batch`, key, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ changes }),
    })
    assert.equal(status, 200, text)
    change.count += 1
  }
}
