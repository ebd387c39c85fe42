import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, matchesGlob, resolve } from 'node:path'
import { it } from 'node:test'
import { stripVTControlCharacters as plain } from 'node:util'
import { itInFull } from '../harness/extent.ts'
import { aDirectory, ask, executable, petstore, spawnCommand } from '../processes/command.ts'
import { placeFirstKey } from '../processes/kill-rounds.ts'
import {
  launchService,
  readFirstKey,
  repositoryRoot,
  settingsFor,
  startService,
} from '../processes/process.ts'

const script = spawnSync('script', ['-qec', 'true', '/dev/null'])
const onTerminal = { skip: script.status === 0 ? false : 'needs script of util-linux' }
/** The last line of the banner, and the line of the log without a terminal. */
const curlLine = /curl -H .*\r?\n/
const readyLine = /\{.*"baseUrl".*\}(?=\n)/
const keyAnywhere = /pet_(?:live|test)_[0-9A-Za-z]{38}/

/** Runs the last lines of a banner as a person would paste them; returns their output. */
function pasteFrom(banner: string, cwd: string): string {
  const lines = /^ *key=[\s\S]*curl .*$/m.exec(banner)?.[0] ?? assert.fail(`no curl in ${banner}`)
  const pasted = lines.replaceAll('\r', '')
  return execFileSync('sh', ['-c', pasted], { cwd, encoding: 'utf8', stdio: 'pipe' })
}

/** Lists the pets with the key in the file that the log names. */
async function listWith(line: string, cwd: string): Promise<string> {
  const { baseUrl, firstKeyFile } = JSON.parse(line) as { baseUrl: string; firstKeyFile: string }
  const key = readFileSync(resolve(cwd, firstKeyFile), 'utf8').trim()
  return (await ask(`${baseUrl}/pets`, key)).text
}

const onPty = (command: string): [string, ...string[]] => ['script', '-qec', command, '/dev/null']

it('a terminal is shown the first key once, with a curl line that works', onTerminal, async (t) => {
  const cwd = aDirectory(t)
  const env = { PETSTORE_PORT: '0' }
  const command = executable('serve').join(' ')

  const service = spawnCommand(t, onPty(command), { cwd, env })
  await service.waitFor(curlLine)
  const { stdout } = service.output
  assert.equal(pasteFrom(stdout, cwd), '[]')
  await service.stop()
  const again = spawnCommand(t, onPty(command), { cwd, env })
  await again.waitFor(curlLine)

  const key = keyAnywhere.exec(stdout)?.[0] ?? assert.fail(stdout)
  assert.match(plain(stdout), new RegExp(`API key +${key}, shown this once\r\n`))
  assert.ok(plain(stdout).includes(` ${join(cwd, 'data/production.db')}\r\n`), stdout)
  assert.ok(!readdirSync(join(cwd, 'data')).some((name) => name.endsWith('first-key')))
  assert.match(
    plain(again.output.stdout),
    /API key +you have one\r\n +Another key +bin\/petstore keys create --name NAME\r\n/,
  )
  assert.doesNotMatch(again.output.stdout, keyAnywhere)
})

it('without a terminal the first key is written to a file of mode 0600, and to no log', async (t) => {
  const cwd = aDirectory(t)
  const service = spawnCommand(t, executable('serve', '--port', '0'), {
    cwd,
    env: { PETSTORE_LOG_LEVEL: 'trace' },
  })
  const [line] = await service.waitFor(readyLine)

  const file = join(cwd, 'data/production.first-key')
  const key = readFileSync(file, 'utf8')
  assert.match(key, /^pet_live_[0-9A-Za-z]{38}\n$/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(join(cwd, 'data/production.db')).mode & 0o077, 0)
  assert.equal(JSON.parse(line).firstKeyFile, file)
  assert.equal(await listWith(line, cwd), '[]')
  await service.stop()
  assert.doesNotMatch(service.output.stdout + service.output.stderr, keyAnywhere)
})

/** Kills a process at its first rename. */
const killAtRename = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
fs.renameSync = () => process.kill(process.pid, 'SIGKILL')
syncBuiltinESMExports()`

itInFull(
  'a start that was killed before it named the file: the newest draft has the key',
  async (t) => {
    const directory = aDirectory(t)
    const env = settingsFor(directory)
    const preload = `--import=data:text/javascript,${encodeURIComponent(killAtRename)}`
    const { signal } = await launchService({ env: { ...env, NODE_OPTIONS: preload } }).exited
    const left = readdirSync(directory).filter((name) => name.startsWith('first-key'))

    placeFirstKey(env.PETSTORE_FIRST_KEY_FILE ?? '')
    await using service = await startService({ env })
    const { status } = await ask(`${service.baseUrl}/pets`, readFirstKey(env))

    assert.equal(signal, 'SIGKILL')
    assert.match(left.join(), /^first-key\.[\da-f]{12}\.new$/)
    assert.equal(status, 200)
  },
)

itInFull(
  'PETSTORE_FIRST_KEY_FILE: sets the path of the first key, which may have blanks and quotes',
  onTerminal,
  async (t) => {
    const cwd = aDirectory(t)
    const file = join(cwd, "the shop's key")
    const service = spawnCommand(t, onPty(executable('serve', '--port', '0').join(' ')), {
      cwd,
      env: { PETSTORE_FIRST_KEY_FILE: file },
    })
    await service.waitFor(curlLine)

    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.match(readFileSync(file, 'utf8'), keyAnywhere)
    assert.equal(pasteFrom(service.output.stdout, cwd), '[]')
  },
)

itInFull('a start that fails on its port does not use up the first key', async (t) => {
  const directory = aDirectory(t)
  const env = { PETSTORE_DATABASE: `sqlite:${join(directory, 'a.db')}` }
  const holder = spawnCommand(t, executable('serve', '--ephemeral', '--port', '0', '--json'))
  const [, port = ''] = await holder.waitFor(/127\.0\.0\.1:(\d+)/)

  const failed = await petstore(['serve', '--json', '--port', port], { env })
  const service = spawnCommand(t, executable('serve', '--json', '--port', '0'), { env })
  await service.waitFor(/\n/)

  assert.equal(failed.code, 69)
  assert.match(service.output.stdout, keyAnywhere)
})

it('git ignores every first key, its drafts, and the backups of the guides', () => {
  const ignored = readFileSync(join(repositoryRoot, '.gitignore'), 'utf8').split('\n')

  const keys = ['petstore-production.first-key', 'a.first-key.0123456789ab.new']
  for (const name of [...keys, 'production-2026-12-05.db', 'petstore.dump']) {
    assert.ok(
      ignored.some((pattern) => matchesGlob(name, pattern)),
      name,
    )
  }
})
