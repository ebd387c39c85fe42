import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { commonHeaders, declaredAnswers, type Note } from '../harness/contract.ts'
import { itInFull } from '../harness/extent.ts'

const everything = declaredAnswers.flatMap(({ operationId, status, codes, headers }): Note[] =>
  (codes.length === 0 ? [undefined] : codes).map((code) => ({
    operationId,
    status,
    code,
    headers: [...commonHeaders, ...headers].map((name) => name.toLowerCase()),
  })),
)

function cover(notes: readonly Note[]) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-coverage-'))
  writeFileSync(join(folder.path, '1.jsonl'), notes.map((note) => JSON.stringify(note)).join('\n'))
  const program = join(import.meta.dirname, 'coverage.ts')
  const env = { ...process.env, CONTRACT_NOTES: folder.path }
  const { status, stderr } = spawnSync(process.execPath, [program], { env, encoding: 'utf8' })
  return { status, unseen: stderr.split('\n').slice(1, -1) }
}

itInFull('a run that saw everything declared passes', () => {
  assert.deepEqual(cover(everything), { status: 0, unseen: [] })
})

it('a status, a code and a header that no test saw are reported', () => {
  const notes = everything
    .filter(({ operationId, status }) => operationId !== 'getPet' || status !== 410)
    .filter(({ operationId, code }) => operationId !== 'listPets' || code !== 'invalid_cursor')
    .map((note) => ({
      ...note,
      headers: note.headers.filter((name) => note.status !== 405 || name !== 'allow'),
    }))

  assert.deepEqual(cover(notes), {
    status: 1,
    unseen: [
      'listPets 400 never had the code invalid_cursor',
      'getPet 410 was never answered',
      'x-any-path 405 never had the header Allow',
    ],
  })
})

itInFull('what comes before the path is known must be seen once, on any path', () => {
  const isLate = ({ status }: Note) => status === 408
  const others = everything.filter((note) => !isLate(note))
  const once = everything.filter(isLate).slice(0, 1)

  assert.deepEqual(cover([...others, ...once]), { status: 0, unseen: [] })
  assert.equal(cover(others).unseen.length, everything.filter(isLate).length)
})

itInFull('the headers of any response must be seen once', () => {
  const without = (notes: Note[]) =>
    notes.map((note) => ({
      ...note,
      headers: note.headers.filter((name) => !name.startsWith('ratelimit')),
    }))
  const once = everything.find(({ headers }) => headers.includes('ratelimit'))

  assert.ok(once)
  assert.deepEqual(cover([...without(everything), once]), { status: 0, unseen: [] })
  assert.match(
    cover(without(everything)).unseen[0] ?? '',
    /x-any-response never had the header RateLimit-Policy/,
  )
})
