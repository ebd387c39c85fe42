import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { it } from 'node:test'
import { memoryMiB } from '../../bench/harness/processor-time.ts'
import { until } from '../harness/until.ts'
import { aDirectory, ask, executable, spawnCommand } from '../processes/command.ts'
import { settingsFor } from '../processes/process.ts'

const script = spawnSync('script', ['-qec', 'true', '/dev/null'])
const onTerminal = { skip: script.status === 0 ? false : 'needs script of util-linux' }
const onLinux = { skip: process.platform === 'linux' ? false : 'memory is known on Linux only' }
const readyLine = /\{.*"baseUrl".*\}(?=\n)/

/** Requests of a path that does not exist, sent without waiting: cheap, and each has a line. */
async function sendMany(baseUrl: string, count: number): Promise<void> {
  const { hostname, port } = new URL(baseUrl)
  const request = `GET ${`/${'x'.repeat(19)}`.repeat(19)} HTTP/1.1\r\nHost: a\r\n\r\n`
  const socket = connect(Number(port), hostname)
  const marker = 'HTTP/1.1 404'
  let answered = 0
  let rest = ''
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.setEncoding('latin1').on('data', (text: string) => {
    const parts = (rest + text).split(marker)
    answered += parts.length - 1
    // A chunk may end within a marker.
    rest = parts.at(-1)?.slice(1 - marker.length) ?? ''
    if (answered >= count) resolve()
  })
  socket.on('error', reject)
  socket.on('close', () => reject(new Error(`closed after ${answered} of ${count} responses`)))
  socket.write(request.repeat(count))
  await promise
  socket.destroy()
}

it(
  'a reader of the log that stops costs lines, and neither time, memory nor the end',
  onLinux,
  async (t) => {
    const env = { ...settingsFor(aDirectory(t)), PETSTORE_ACCESS_LOG: 'on' }
    const service = spawnCommand(t, executable('serve'), { env })
    const { baseUrl, pid } = JSON.parse((await service.waitFor(readyLine))[0])
    const { child, output } = service
    await sendMany(baseUrl, 1_000)

    child.stdout?.pause()
    await sendMany(baseUrl, 3_000)
    const beforeMiB = memoryMiB(pid)
    await sendMany(baseUrl, 3_000)
    const grownMiB = memoryMiB(pid) - beforeMiB
    child.stdout?.resume()
    await service.waitFor(/"droppedLines":\d+.*\n/)
    await sendMany(baseUrl, 1)
    await until(() => output.stdout.split('"status":404').length - 1 + droppedIn(output) === 7_001)

    child.stdout?.pause()
    await sendMany(baseUrl, 2_000)
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')

    assert.ok(droppedIn(output) > 1_000, `${droppedIn(output)} lines were dropped`)
    assert.match(output.stdout, /"droppedLines":[\s\S]*"status":404/, 'lines are written again')
    assert.ok(grownMiB < 40, `the service has grown by ${grownMiB} MiB`)
    assert.equal(code, 0)
  },
)

function droppedIn({ stdout }: { stdout: string }): number {
  const counts = stdout.match(/(?<="droppedLines":)\d+/g) ?? []
  return counts.reduce((sum, count) => sum + Number(count), 0)
}

it('the last lines before an end are written, to a file too', async (t) => {
  const directory = aDirectory(t)
  const log = join(directory, 'log')
  writeFileSync(log, '')
  const service = spawnCommand(
    t,
    ['sh', '-c', `exec "$0" "$@" >> '${log}'`, ...executable('serve')],
    { env: settingsFor(directory) },
  )
  await until(() => readyLine.test(readFileSync(log, 'utf8')))
  const [line = ''] = readyLine.exec(readFileSync(log, 'utf8')) ?? []

  const { status } = await ask(`${JSON.parse(line).baseUrl}/pets`, 'no key')
  const { code } = await service.stop()

  assert.deepEqual([status, code], [401, 0])
  assert.match(readFileSync(log, 'utf8'), /"status":401.*\n.*"The pet store is closed\."\}\n$/)
})

it(
  'a terminal gets a banner, and a short line for each request; stopping its output stops nothing',
  onTerminal,
  async (t) => {
    const cwd = aDirectory(t)
    mkdirSync(join(cwd, 'data'))
    const command = `stty cols 80; exec ${executable('serve', '--port', '0').join(' ')}`
    const env = { NO_COLOR: '1', PETSTORE_CONSOLE: 'on', PETSTORE_DRAIN_MS: '0' }
    const { child, output, waitFor } = spawnCommand(t, ['script', '-qec', command, '/dev/null'], {
      cwd,
      env,
    })
    await waitFor(/curl -H .*\r\n/)
    const baseUrl = /Base address {2}(\S+)/.exec(output.stdout)?.[1] ?? assert.fail(output.stdout)

    await ask(`${baseUrl}/pets?${'limit=1000000000000000000&'.repeat(4)}`, 'no key')
    await waitFor(/ ms.*\r\n/)
    const lines = output.stdout.split('\r\n')
    child.stdout?.pause()
    // Some 200 KB: more than what lies between the service and this process.
    await sendMany(baseUrl, 2_500)

    assert.match(output.stdout, /\r\n {2}Console {7}http:\S+\/console\/\r\n/)
    assert.doesNotMatch(output.stdout, /[{\u001b]/)
    assert.ok(
      lines.every(({ length }) => length <= 80),
      output.stdout,
    )
    assert.match(
      lines.at(-2) ?? '',
      /^\d\d:\d\d:\d\d {2}401 {2}GET \/v1\/pets\?[limt=0-9&]+… {2}\d+\.\d ms {2}invalid_api_key$/,
    )
  },
)

it('Ctrl+C at a terminal ends with "Stopped."', onTerminal, async (t) => {
  // A shell that stays, as dash does, would end with 130 by itself.
  const command = `exec ${executable('serve', '--ephemeral', '--port', '0').join(' ')}`
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: aDirectory(t) })
  t.after(() => child.kill())
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await until(() => /curl -H .*\r\n/.test(output))

  child.stdin.write('\x03')
  const [code] = await once(child, 'close')

  assert.match(output, /\nStopped\.\r\n$|\^CStopped\.\r\n$/)
  assert.equal(code, 0)
})
