import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { itInFull } from '../harness/extent.ts'
import { until } from '../harness/until.ts'
import { ask } from '../processes/command.ts'
import { repositoryRoot } from '../processes/process.ts'

/** Documented as well under a second; a test machine may be busy. */
const readyMaxMs = 60_000
const ways = ['in-process', 'child'] as const
const aPet = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"name":"Rex","categoryId":7}',
}

/** A program that uses the store as an integrator's test does. */
const program = (body: string) => `
import { startPetstore } from ${JSON.stringify(`${repositoryRoot}src/start-petstore.ts`)}
${body}`

function run(body: string, env: Record<string, string> = {}) {
  return spawn(process.execPath, ['--input-type=module', '-e', program(body)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

for (const as of ways) {
  // The child is started by the same options.
  const define = as === 'child' ? itInFull : it
  define(
    `startPetstore ${as}: quickly starts a store that shares nothing with others`,
    async (t) => {
      const startMs = performance.now()
      await using store = await startPetstore({ as })
      const readyMs = performance.now() - startMs
      await using other = await startPetstore({ as })

      const created = await ask(`${store.baseUrl}/pets`, store.key, aPet)

      t.diagnostic(`ready after ${readyMs} ms`)
      assert.ok(readyMs < readyMaxMs)
      assert.match(store.baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/v1$/)
      assert.match(store.key, /^pet_test_/)
      assert.equal(created.text, '{"id":1,"name":"Rex","categoryId":7}')
      assert.equal((await ask(`${other.baseUrl}/pets`, other.key)).text, '[]')
      assert.equal((await ask(`${other.baseUrl}/pets`, store.key)).status, 401)
    },
  )

  define(`startPetstore ${as}: the clock and the ids start where the options say`, async () => {
    await using store = await startPetstore({
      as,
      now: '2030-12-05T00:00:00Z',
      firstId: 9007199254740993n,
    })

    const created = await ask(`${store.baseUrl}/pets`, store.key, aPet)
    const got = await ask(`${store.baseUrl}/pets/9007199254740993`, store.key)

    assert.match(created.text, /^\{"id":9007199254740993,/)
    assert.equal(got.status, 410)
  })

  define(`startPetstore ${as}: a wrong value is refused by the name of its option`, async () => {
    for (const [options, sentence] of [
      [
        { now: '2031-01-31T00:00Z' },
        /^now must be an instant such as .*; received 2031-01-31T00:00Z\.$/,
      ],
      [{ firstId: 7 }, /^firstId must be a bigint from 1n to \d+n; received 7\.$/],
      [{ seed: 1.5 }, /^seed must be an integer from 1 to 10000000; received 1\.5\.$/],
      [{ orderHoldMs: 0 }, /^orderHoldMs must be an integer from 1 to \d+; received 0\.$/],
      [{ strict: 'yes' }, /^strict must be a boolean; received yes\.$/],
      [{ fixture: { pets: [{ nam: 'Rex' }] } }, /pets\.0/],
    ] as [object, RegExp][]) {
      await assert.rejects(startPetstore({ as, ...options }), ({ message }) =>
        sentence.test(message),
      )
    }
  })

  itInFull(`startPetstore ${as}: close releases the port and lets the process end`, async () => {
    const child = run(`
      const store = await startPetstore({ as: '${as}' })
      console.log(store.baseUrl)
      await store.close()
      process.on('exit', () => console.log('ended by itself'))`)
    const lines: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))

    const [code] = await once(child, 'close')

    assert.deepEqual([code, lines[1]], [0, 'ended by itself'])
    await assert.rejects(fetch(`${lines[0]}/pets`))
  })

  itInFull(
    `startPetstore ${as}: a store that is not closed does not keep the process from ending`,
    async () => {
      const child = run(`
      const store = await startPetstore({ as: '${as}' })
      await fetch(store.baseUrl + '/pets', { headers: { authorization: 'Bearer ' + store.key } })
      console.log(store.baseUrl)`)
      const [baseUrl] = await once(createInterface({ input: child.stdout }), 'line')

      const [code] = await once(child, 'close')

      assert.equal(code, 0)
      await until(() => isGone(baseUrl))
    },
  )

  itInFull(
    `startPetstore ${as}: the environment variables of the test do not reach the store`,
    async () => {
      const env = {
        PETSTORE_PUBLIC_URL: 'https://pets.example.com/v1',
        PETSTORE_FIRST_KEY_FILE: '/nowhere/key',
        PETSTORE_ENVIRONMENT: 'production',
      }
      const child = run(
        `await using store = await startPetstore({ as: '${as}' }); console.log(store.baseUrl, store.key)`,
        env,
      )
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))

      const [code] = await once(child, 'close')

      assert.equal(code, 0)
      assert.match(output, /^http:\/\/127\.0\.0\.1:\d+\/v1 pet_test_\w{38}\n$/)
    },
  )
}

/** What Node 22.16 has not, as far as it can be taken away from a newer one. */
const node22 = `
import { StatementSync } from 'node:sqlite'
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.16.0', sqlite: '3.49.1' } })
for (const name of ['DisposableStack', 'AsyncDisposableStack', 'Float16Array', 'Temporal']) delete globalThis[name]
for (const [owner, name] of [[Promise, 'try'], [Error, 'isError'], [RegExp, 'escape'], [Iterator, 'concat'], [Uint8Array, 'fromBase64'], [Map.prototype, 'getOrInsert']])
  delete owner[name]
for (const name of ['all', 'get', 'run']) {
  const original = StatementSync.prototype[name]
  StatementSync.prototype[name] = function (...values) {
    if (/\\?\\d/.test(this.sourceSQL) && typeof values[0] !== 'object') throw new Error('column index out of range')
    return original.apply(this, values)
  }
}`

itInFull(
  'startPetstore: runs in the process of a Node that could not serve a store on disk',
  async () => {
    const child = spawn(
      process.execPath,
      [
        ...['--import', `data:text/javascript,${encodeURIComponent(node22)}`],
        ...['--input-type=module', '-e'],
        program(`
      import { subscribe } from 'node:diagnostics_channel'
      subscribe('child_process', () => console.log('a child'))
      const store = await startPetstore({ seed: 30, keys: [{ scopes: ['pets:read'] }] })
      const headers = { authorization: 'Bearer ' + store.key, 'content-type': 'application/json' }
      const order = { method: 'POST', headers, body: '{"petId":1}' }
      const { status } = await fetch(store.baseUrl + '/store/orders', order)
      await store.saveSnapshot('sold')
      await store.reset('empty')
      await store.reset({ snapshot: 'sold' })
      const page = await fetch(store.baseUrl + '/pets?name=s&limit=100', { headers })
      console.log(status, page.status, (await page.json()).length > 0)
      await store.close()`),
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))

    await once(child, 'close')

    assert.equal(output, '201 200 true\n')
  },
)

itInFull('startPetstore child: ends when the process that started it is killed', async () => {
  const child = run(`
    const store = await startPetstore({ as: 'child' })
    console.log(store.baseUrl)
    setInterval(() => {}, 1000)`)
  const [baseUrl] = await once(createInterface({ input: child.stdout }), 'line')
  assert.ok(!(await isGone(baseUrl)))

  child.kill('SIGKILL')

  await until(() => isGone(baseUrl))
})

function isGone(baseUrl: string): Promise<boolean> {
  return fetch(`${baseUrl}/health/live`).then(
    () => false,
    () => true,
  )
}

itInFull(
  'startPetstore: several fixtures are added as one, and a store is reset to all of them',
  async () => {
    const dogs = { categories: [{ name: 'Dogs' }], pets: [{ name: 'Rex', category: 'Dogs' }] }
    const more = { pets: [{ name: 'Tom', category: 'Dogs', status: 'available' }] }
    await using store = await startPetstore({
      fixture: { pets: [{ name: 'Kim' }] },
      fixtures: [dogs, more, { orders: [{ pet: 'Tom' }] }],
    })
    const names = async () =>
      JSON.parse((await ask(`${store.baseUrl}/pets`, store.key)).text).map(
        ({ name, status }: { name: string; status?: string }) => [name, status],
      )

    const atStart = await names()
    await store.reset('empty')
    assert.deepEqual(await names(), [])
    await store.reset()

    assert.deepEqual(atStart, [
      ['Kim', undefined],
      ['Rex', undefined],
      ['Tom', 'pending'],
    ])
    assert.deepEqual(await names(), atStart)
    await assert.rejects(startPetstore({ fixtures: { pets: 7 } }), /: pets must be an array/)
  },
)

it('startPetstore: an unknown option is refused, with the nearest name', async () => {
  const options = { orderHoldMS: 900_000 } as object

  await assert.rejects(startPetstore(options), {
    name: 'TypeError',
    message: 'orderHoldMS is not an option of startPetstore; did you mean orderHoldMs?',
  })
})
