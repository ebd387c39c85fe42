import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

// Between engines, and after interruptions: src/admin/transfer/transfer-store.test.ts.

async function aStore(t: TestContext) {
  const directory = aDirectory(t)
  const [from, to] = ['from', 'to'].map((name) => `sqlite:${join(directory, `${name}.db`)}`)
  const env = { PETSTORE_DATABASE: from as string }
  const { code, stderr } = await petstoreInThread(['seed', '--count', '20'], { env })
  assert.equal(code, 0, stderr)
  return { directory, from: from as string, to: to as string, env }
}

it('transfer --from --to: says each step, and what to do next; the first store is then refused by every command that writes', async (t) => {
  const { from, to, env } = await aStore(t)

  const moved = await petstoreInThread(['transfer', '--from', from, '--to', to])

  assert.deepEqual([moved.code, moved.stdout], [0, ''], moved.stderr)
  const [source, target] = [from, to].map((address) => address.replace('sqlite:', ''))
  const text = moved.stderr.replaceAll(/\d+ rows of/g, 'N rows of').replaceAll(/\d+\.\d s/g, 'N s')
  const lines = text.split('\n')
  assert.deepEqual(lines, [
    `Checked ${source} in N s.`,
    `Copied N rows of ${source} in N s.`,
    `Compared N rows of ${target} in N s.`,
    `Checked ${target} in N s.`,
    `${source} is not used any more. Set PETSTORE_DATABASE to ${to}, and start the service.`,
    '',
  ])
  const writing = [['serve'], ['seed', '--count', '1'], ['keys', 'create', '--name', 'me']]
  for (const args of [...writing, ['verify', '--repair', '--yes']]) {
    const refused = await petstoreInThread(args, { env })
    assert.deepEqual([refused.code, refused.stdout], [78, ''], args.join(' '))
    assert.match(
      refused.stderr,
      /^\S+ was transferred to \S+ on \d{4}-\d\d-\d\d\. It is not used any more, .*--release --from sqlite:\S+\.\n$/,
    )
  }
  const read = await petstoreInThread(['verify'], { env })
  assert.equal(read.code, 0, 'it can still be checked')
  const next = await petstoreInThread(['deprecations'], { env: { PETSTORE_DATABASE: to } })
  assert.equal(next.code, 0, next.stderr)
})

it('transfer --json: prints the rows, digests and last ids of each table, and nothing else', async (t) => {
  const { from, to, env } = await aStore(t)

  const { code, stdout, stderr } = await petstoreInThread(['transfer', '--to', to, '--json'], {
    env,
  })

  assert.deepEqual([code, stderr], [0, ''])
  const { tables, ...places } = JSON.parse(stdout)
  assert.deepEqual(
    [places.from, places.to].map((path) => `sqlite:${path}`),
    [from, to],
  )
  assert.deepEqual([tables.pets.rows, tables.pets.lastId], [20, '20'])
  assert.match(tables.pets.sha256, /^[0-9a-f]{64}$/)
  assert.deepEqual(Object.keys(tables), Object.keys(tables).sort())
  assert.equal('transfer_mark' in tables, false)
})

it('transfer --release: lets a store that was transferred be used again, and says what that means', async (t) => {
  const { from, to, env } = await aStore(t)
  const early = await petstoreInThread(['transfer', '--release'], { env })
  await petstoreInThread(['transfer', '--from', from, '--to', to])

  const released = await petstoreInThread(['transfer', '--release', '--json'], { env })

  assert.deepEqual([early.code, early.stdout], [78, ''])
  assert.match(early.stderr, /was not transferred/)
  assert.deepEqual(released.code, 0, released.stderr)
  const paths = { released: from.replace('sqlite:', ''), peer: to.replace('sqlite:', '') }
  assert.deepEqual(JSON.parse(released.stdout), paths)
  const used = await petstoreInThread(['deprecations'], { env })
  assert.equal(used.code, 0, used.stderr)
})

it('64 usage: transfer needs two places, which are not in memory, and shows no password', async (t) => {
  const { directory, from, env } = await aStore(t)
  const wrong = [
    [['transfer']],
    [['transfer', '--from', from]],
    [['transfer', '--to', 'sqlite::memory:']],
    [['transfer', '--to', 'pets.db']],
    [['transfer', '--to', 'postgres://me:se:cret@/pets']],
    [['transfer', '--release', '--to', `sqlite:${join(directory, 'b.db')}`]],
  ] as const
  for (const [args] of wrong) {
    const { code, stdout, stderr } = await petstoreInThread(args, { env })

    assert.deepEqual([code, stdout], [64, ''], `${args.join(' ')}: ${stderr}`)
    assert.doesNotMatch(stderr, /cret/)
  }
  assert.ok(!existsSync(join(directory, 'b.db')))
})
