import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { cases, itInFull } from '../harness/extent.ts'
import { until } from '../harness/until.ts'
import { aDirectory, ask, executable, freePort, spawnCommand } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { settingsFor, startService } from '../processes/process.ts'

const aPet = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"name":"Rex","categoryId":9007199254740993}',
}

for (const signal of cases(['SIGTERM', 'SIGINT'] as const, { quickEvery: 2 })) {
  it(`serve: prints where everything is, and exits with 0 on ${signal}`, async (t) => {
    const directory = aDirectory(t)
    const metricsPort = await freePort()
    const env: Record<string, string> = {
      ...settingsFor(directory),
      PETSTORE_METRICS_ADDRESS: metricsPort,
    }

    const service = spawnCommand(t, executable('serve'), { env })
    const [, first = '', line = ''] = await service.waitFor(/(.+)\n(.+)\n/)
    const { time, pid, hostname, listening, baseUrl, ...ready } = JSON.parse(line)
    const live = await fetch(`${listening}/health/live`)
    const { code } = await service.stop(signal)

    assert.deepEqual(ready, {
      level: 30,
      environment: 'production',
      database: `${directory}/petstore.db`,
      metrics: `http://127.0.0.1:${metricsPort}/metrics`,
      firstKeyFile: env.PETSTORE_FIRST_KEY_FILE,
      msg: 'The pet store is open.',
    })
    assert.deepEqual([baseUrl, pid], [`${listening}/v1`, service.child.pid])
    assert.ok(time > 0 && hostname.length > 0)
    assert.deepEqual([live.status, code], [200, 0])
    assert.match(first, /"level":40,.*"msg":"A new, empty production store is created: /)
    const [, , last = '', ...others] = service.output.stdout.split('\n')
    assert.match(last, /^\{"level":30,.*,"exitCode":0,"msg":"The pet store is closed\."\}$/)
    assert.deepEqual([others, service.output.stderr], [[''], ''])
  })
}

itInFull('serve --json: one line on standard output, the log on standard error', async (t) => {
  const service = spawnCommand(t, executable('serve', '--json', '--ephemeral', '--port', '0'))
  await service.waitFor(/\n/)
  await service.stop()

  const { stdout, stderr } = service.output
  assert.match(stdout, /^\{"baseUrl":"http:\/\/127\.0\.0\.1:\d+\/v1","key":"pet_test_\w{38}"\}\n$/)
  const { key } = JSON.parse(stdout) as { key: string }
  assert.match(
    stderr,
    /"msg":"The pet store is open\."[\s\S]*"msg":"The pet store is closed\."\}\n$/,
  )
  assert.ok(!stderr.includes(key), 'no key stands in the log')
  assert.doesNotMatch(stderr, /ulimit/)
})

const readsLimits = process.platform === 'linux'

itInFull(
  'serve: warns where it may open fewer files than its connections need',
  {
    skip: !readsLimits && 'the limit is known on Linux only',
  },
  async () => {
    await using service = await startService({
      args: ['serve', '--json', '--ephemeral', '--port', '0'],
      wrapper: ['sh', '-c', 'ulimit -n 600; exec "$0" "$@"'],
    })
    const { stderr } = await service.stop()

    const warnings = stderr.split('\n').filter((line) => line.includes('ulimit'))
    assert.equal(warnings.length, 1)
    assert.match(
      warnings[0] ?? '',
      /may open 600 files, too few for 1000 connections .* to 1128 or more, or set PETSTORE_CONNECTIONS_MAX to 472 or less\./,
    )
  },
)

itInFull('serve --ephemeral: staging, in memory, writes nothing to disk', async (t) => {
  const directory = aDirectory(t)
  const service = spawnCommand(t, executable('serve', '--ephemeral', '--port', '0', '--json'), {
    cwd: directory,
  })
  const [line] = await service.waitFor(/.+(?=\n)/)
  const { baseUrl, key } = JSON.parse(line) as { baseUrl: string; key: string }

  assert.match(key, /^pet_test_/)
  assert.equal((await ask(`${baseUrl}/pets`, key, aPet)).status, 201)
  await service.stop()
  assert.deepEqual(readdirSync(directory), [])
})

itInFull(
  'serve --ephemeral --environment production: production in memory, as requested',
  async () => {
    await using service = await startService({
      args: ['serve', '--ephemeral', '--environment', 'production', '--port', '0', '--json'],
    })

    assert.match(service.key, /^pet_live_/)
  },
)

itInFull('serve --port: listens on the port', async () => {
  const port = await freePort()

  await using service = await startService({
    args: ['serve', '--ephemeral', '--port', port, '--json'],
  })

  assert.equal(service.baseUrl, `http://127.0.0.1:${port}/v1`)
})

itInFull(
  'serve --now: starts the clock at an instant, such as before the removal of getPet',
  async () => {
    const args = ['serve', '--ephemeral', '--port', '0', '--json', '--now']
    await using before = await startService({ args: [...args, '2030-12-04T23:59:59Z'] })
    await using after = await startService({ args: [...args, '2030-12-05T00:00:00Z'] })

    // The first clock runs on: 200, then 410 within about a second.
    const { status, text } = await ask(`${after.baseUrl}/pets/1`, after.key)
    assert.equal(status, 410)
    assert.match(text, /"operation_removed".*GET \/pets with status .*with id /)
    let removed = false
    while (!removed) removed = (await ask(`${before.baseUrl}/pets/1`, before.key)).status === 410
    assert.equal((await ask(`${before.baseUrl}/pets?id=1`, before.key)).status, 200)
  },
)

itInFull('serve --first-id: ids beyond 2^53 keep every digit', async () => {
  await using service = await startService({
    args: ['serve', '--ephemeral', '--port=0', '--json', '--first-id', '9007199254740993'],
  })
  const { baseUrl, key } = service

  const created = await ask(`${baseUrl}/pets`, key, aPet)
  const second = await ask(`${baseUrl}/pets`, key, aPet)

  assert.match(created.text, /^\{"id":9007199254740993,.*"categoryId":9007199254740993\}$/)
  assert.equal(created.headers.get('location'), `${baseUrl}/pets/9007199254740993`)
  assert.match(second.text, /^\{"id":9007199254740994,/)
  const neighbour = await ask(`${baseUrl}/pets?id=9007199254740992`, key)
  assert.equal(neighbour.text, '[]')
})

itInFull(
  'serve --fixture FILE, --strict: begins with the pets of the file, and refuses unknown parameters',
  async (t) => {
    const file = join(aDirectory(t), 'fixture.json')
    const pets = [{ name: 'Rex', category: 'Dogs', status: 'available', quantity: 1 }]
    writeFileSync(file, JSON.stringify({ categories: [{ name: 'Dogs' }], pets }))
    const args = ['serve', '--ephemeral', '--port', '0', '--json', '--fixture', file, '--strict']
    await using service = await startService({ args })

    const listed = await ask(`${service.baseUrl}/pets`, service.key)
    const refused = await ask(`${service.baseUrl}/pets?stats=sold`, service.key)

    assert.equal(listed.text, '[{"id":1,"name":"Rex","categoryId":1,"status":"available"}]')
    assert.deepEqual([refused.status, JSON.parse(refused.text).code], [400, 'invalid_parameter'])
  },
)

it('64 usage: serve --fixture names a file that does not exist', async () => {
  const args = ['serve', '--ephemeral', '--fixture', 'none.json']

  const { code, stderr } = await petstoreInThread(args)

  assert.equal(code, 64)
  assert.match(stderr, /^--fixture none\.json cannot be read: there is no such file\. See /)
})

it('64 usage: serve --fixture and --strict are refused for a store on disk, before anything is created', async (t) => {
  const directory = aDirectory(t)
  const env = settingsFor(directory)
  for (const option of [['--fixture', 'none.json'], ['--strict']]) {
    const exit = await petstoreInThread(['serve', ...option], { env })
    assert.deepEqual([exit.code, exit.stdout], [64, ''])
    assert.match(exit.stderr, /^--fixture and --strict are for a store in memory/)
  }
  assert.deepEqual(readdirSync(directory), [])
})

it('64 usage: serve --now and --first-id are refused in production, before anything is created', async (t) => {
  const directory = aDirectory(t)
  const env = settingsFor(directory)
  for (const helper of [
    ['--now', '2030-12-05T00:00:00Z'],
    ['--first-id', '7'],
  ]) {
    const exit = await petstoreInThread(['serve', ...helper], { env })
    assert.deepEqual([exit.code, exit.stdout], [64, ''])
    assert.match(exit.stderr, /^--now and --first-id are test helpers; production refuses them/)
  }
  assert.deepEqual(readdirSync(directory), [])
})

itInFull(
  'serve: continues when the reader of its log ends, and logs no key that is in an address',
  async (t) => {
    const env = { PETSTORE_LOG_LEVEL: 'debug' }
    const service = spawnCommand(t, executable('serve', '--json', '--ephemeral', '--port', '0'), {
      env,
    })
    await service.waitFor(/\n/)
    const { baseUrl, key } = JSON.parse(service.output.stdout) as { baseUrl: string; key: string }
    const list = () => ask(`${baseUrl}/pets?access_token=${key}`, key)

    await list()
    await until(() => service.output.stderr.includes('access_token=…'))
    service.child.stderr?.destroy()
    service.child.stdout?.destroy()
    const statuses = []
    for (let count = 0; count < 3; count++) statuses.push((await list()).status)

    assert.deepEqual(statuses, [200, 200, 200])
    assert.ok(!service.output.stderr.includes(key))
    assert.equal((await service.stop()).code, 0)
  },
)

itInFull(
  'serve --until-stdin-ends: serves while standard input is open, and exits with 0 when it ends',
  {
    timeout: 60_000,
  },
  async (t) => {
    const [file, ...args] = executable('serve', '--ephemeral', '--port', '0', '--json')
    const child = spawn(file, [...args, '--until-stdin-ends'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    t.after(() => child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const { baseUrl, key } = JSON.parse(line) as { baseUrl: string; key: string }

    child.stdin.write('what is written there is ignored\n')
    const response = await ask(`${baseUrl}/pets`, key)
    child.stdin.end()

    assert.equal(response.status, 200)
    assert.deepEqual(await exited, [0, null])
  },
)

it('64 usage: serve refuses --until-stdin-ends with a --fixture that is standard input', async () => {
  const args = ['serve', '--ephemeral', '--fixture', '-', '--until-stdin-ends']
  const exit = await petstoreInThread(args)

  assert.deepEqual([exit.code, exit.stdout], [64, ''])
  assert.match(exit.stderr, /^--until-stdin-ends cannot be combined with --fixture -/)
})
