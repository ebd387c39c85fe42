import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { environmentWith } from '../../src/config/config.ts'
import { startPetstore } from '../../src/start-petstore.ts'
import { until } from '../harness/until.ts'
import { aDirectory, executable, spawnCommand } from '../processes/command.ts'
import { startHttpFaults } from '../processes/http-faults.ts'

const newline = 10
const pageSize = 100

/** A service with so many pets, which it makes for each page. */
async function startPages(t: TestContext, count: number): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const first = Number(new URL(url, 'http://x').searchParams.get('cursor') ?? 1)
    const next = first + pageSize
    const pets = Array.from({ length: pageSize }, (_, index) => {
      return { id: first + index, name: `Percy, brown Birman ${first + index}`, categoryId: 1 }
    })
    if (next <= count) response.setHeader('link', `</v1/pets?cursor=${next}>; rel="next"`)
    response.end(JSON.stringify(pets))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const script = spawnSync('script', ['-qec', 'true', '/dev/null'])
const onTerminal = { skip: script.status === 0 ? false : 'needs script of util-linux' }

describe('commands over HTTP on a terminal', () => {
  let store: Awaited<ReturnType<typeof startPetstore>>
  before(async () => {
    store = await startPetstore({ as: 'child', seed: 1_000 })
  })
  after(() => store.close())

  /** Types a line for each question; returns what the terminal shows. */
  async function type(t: TestContext, words: string[], lines: [question: string, line: string][]) {
    const folder = aDirectory(t)
    const command = executable(...words).map((word) => `'${word}'`)
    const env = environmentWith({
      PETSTORE_URL: store.baseUrl,
      PETSTORE_KEY: store.key,
      XDG_CONFIG_HOME: folder,
    })
    const child = spawn('script', ['-qec', command.join(' '), '/dev/null'], { env })
    let shown = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
    const closed = once(child, 'close')
    t.after(() => child.kill('SIGKILL'))
    for (const [question, line] of lines) {
      await until(() => shown.includes(question))
      child.stdin.write(`${line}\r`)
    }
    const [code] = await closed
    return { code, shown, folder }
  }

  const petNames = async () =>
    (await (
      await fetch(`${store.baseUrl}/pets?id=1`, {
        headers: { authorization: `Bearer ${store.key}` },
      })
    ).json()) as object[]

  it('login asks for a key and does not show it', onTerminal, async (t) => {
    const { code, shown, folder } = await type(t, ['login'], [['API key: ', store.key]])

    assert.equal(code, 0, shown)
    assert.ok(!shown.includes(store.key), shown)
    const profiles = readFileSync(join(folder, 'petstore/profiles.json'), 'utf8')
    assert.ok(profiles.includes(store.key))
  })

  it(
    'what cannot be undone is asked for: only yes does it, and --yes does not ask',
    onTerminal,
    async (t) => {
      const question = '[y/N]'
      const declined = await type(t, ['pets', 'delete', '1'], [[question, 'n']])
      assert.deepEqual([declined.code, (await petNames()).length], [83, 1], declined.shown)
      assert.match(declined.shown, /Delete an? \w+: 1\..*Nothing was changed\./s)

      const confirmed = await type(t, ['pets', 'delete', '1'], [[question, 'y']])
      assert.deepEqual([confirmed.code, (await petNames()).length], [0, 0], confirmed.shown)
      const unasked = await type(t, ['pets', 'delete', '3', '--yes'], [])
      assert.deepEqual([unasked.code, unasked.shown.includes(question)], [0, false])
    },
  )

  it(
    'an import in parts shows one bar; Ctrl+C says how many rows are stored, and the same command goes on',
    onTerminal,
    async (t) => {
      const faults = await startHttpFaults(store.baseUrl)
      t.after(() => faults.close())
      const path = join(aDirectory(t), 'pets.csv')
      writeFileSync(path, `name,categoryId\n${'Interrupted,1\n'.repeat(2_500)}`)
      const env = { PETSTORE_URL: faults.baseUrl, PETSTORE_KEY: store.key }
      let stores = 0
      faults.decide = (request) =>
        request.path.includes('dryRun') || ++stores < 2 ? undefined : 'hold'
      const words = executable('pets', 'import', path)
      const command = words.map((word) => `'${word}'`)
      const importing = spawn('script', ['-qec', command.join(' '), '/dev/null'], {
        env: environmentWith(env),
      })
      t.after(() => importing.kill('SIGKILL'))
      let shown = ''
      importing.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
      // All are checked, and the first part is stored.
      await until(() => shown.includes('70 %  1,750 of 2,500 rows'))
      importing.stdin.write('\x03')
      await once(importing, 'close')
      assert.match(shown, /Stopped: 1,000 of 2,500 rows are stored\. The same command goes on\./)
      const percents = [...shown.matchAll(/(\d+) % /g)].map(([, percent]) => Number(percent))
      assert.deepEqual(
        percents,
        percents.toSorted((a, b) => a - b),
      )

      faults.decide = undefined
      const again = spawnCommand(t, [...words, '--json'], { env })
      await again.waitFor(/"created":2500/)

      const listed = await fetch(`${store.baseUrl}/pets?name=Interrupted&limit=1`, {
        headers: { authorization: `Bearer ${store.key}`, prefer: 'count=exact' },
      })
      assert.equal(listed.headers.get('x-total-count'), '2500')
    },
  )

  it('74 ioError: a full disk behind --all ends it with one line', {
    skip: !existsSync('/dev/full') && 'needs /dev/full',
  }, () => {
    const words = executable('pets', 'list', '--all').map((word) => `'${word}'`)
    const env = environmentWith({ PETSTORE_URL: store.baseUrl, PETSTORE_KEY: store.key })
    const { status, stderr } = spawnSync('sh', ['-c', `${words.join(' ')} > /dev/full`], { env })

    assert.equal(status, 74)
    assert.match(String(stderr), /^The output cannot be written: ENOSPC[^\n]*\n$/)
  })

  it('--all keeps no page: 300,000 records pass through a heap of 20 MiB', async (t) => {
    const count = 300_000
    const env = environmentWith({
      PETSTORE_URL: await startPages(t, count),
      PETSTORE_KEY: store.key,
      NODE_OPTIONS: '--max-old-space-size=20',
    })
    const [file, ...args] = executable('pets', 'list', '--all', '--ndjson')
    const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let lines = 0
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      for (const byte of chunk) if (byte === newline) lines += 1
    }
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]

    assert.deepEqual([code, lines], [0, count])
  })

  it('a reader that goes ends a list, and no further page is fetched', async (t) => {
    const faults = await startHttpFaults(store.baseUrl)
    t.after(() => faults.close())
    const words = executable('pets', 'list', '--all', '--ndjson').map((word) => `'${word}'`)
    const env = environmentWith({ PETSTORE_URL: faults.baseUrl, PETSTORE_KEY: store.key })
    const child = spawn('bash', ['-c', `set -o pipefail; ${words.join(' ')} | true`], { env })
    const [code] = await once(child, 'close')

    assert.equal(code, 0)
    assert.ok(faults.seen.length < 5, `${faults.seen.length} of 10 pages`)
  })
})
