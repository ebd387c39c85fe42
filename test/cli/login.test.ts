import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

describe('profiles', () => {
  let store: Awaited<ReturnType<typeof startPetstore>>
  before(async () => {
    store = await startPetstore({ seed: 3 })
  })
  after(() => store.close())

  /** A user with an empty configuration folder. */
  function aUser(t: TestContext) {
    const folder = aDirectory(t)
    type Options = { stdin?: string; env?: Record<string, string> }
    const run = (line: string, { stdin = '', env = {} }: Options = {}) =>
      petstoreInThread(line.split(' '), { stdin, env: { XDG_CONFIG_HOME: folder, ...env } })
    const login = (options = '') =>
      run(`login --url ${store.baseUrl}${options}`, { stdin: `${store.key}\n` })
    return { run, login, path: join(folder, 'petstore/profiles.json') }
  }

  it('login --url, --profile: keeps a key that works, readable by its user alone, and never shows it', async (t) => {
    const { run, login, path } = aUser(t)
    const { code, stdout, stderr } = await login(' --profile staging')

    assert.deepEqual([code, stdout], [0, ''], stderr)
    assert.match(stderr, /is kept as profile staging\.\n$/)
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(store.baseUrl, 'https://other.example/v1'),
    )
    const again = await login(' --profile staging')
    assert.match(again.stderr, /staging\. It replaces the key of https:\/\/other\.example\/v1\.\n$/)
    assert.ok(!stderr.includes(store.key))
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700)
    for (const words of ['pets list --quiet', 'pets list --quiet --profile staging']) {
      const listed = await run(words)
      assert.deepEqual([listed.code, listed.stdout], [0, '1\n2\n3\n'], listed.stderr)
    }
  })

  it('login: keeps nothing of a key that is not accepted, or without a key', async (t) => {
    const { run, path } = aUser(t)
    const refused = await run(`login --url ${store.baseUrl}`, { stdin: 'pet_test_wrong' })
    const none = await run(`login --url ${store.baseUrl}`)

    assert.equal(refused.code, 77, refused.stderr)
    assert.deepEqual([none.code, /^There is no key: /.test(none.stderr)], [64, true])
    assert.ok(!existsSync(path))
  })

  it('profiles --use, --json: lists without keys, and changes the one in use', async (t) => {
    const { run, login } = aUser(t)
    await login()
    await login(' --profile staging')

    const used = await run('profiles --use default')
    const table = await run('profiles')
    const json = await run('profiles --json')

    assert.equal(used.code, 0, used.stderr)
    assert.match(table.stdout, /^name +url +key +isCurrent\ndefault .* true\nstaging .* false\n$/)
    const [first, second] = JSON.parse(json.stdout)
    assert.deepEqual([first.name, first.isCurrent, second.name], ['default', true, 'staging'])
    assert.ok(!`${table.stdout}${json.stdout}`.includes(store.key))
  })

  it('logout --profile: forgets one, by default the one in use', async (t) => {
    const { run, login, path } = aUser(t)
    await login()
    await login(' --profile staging')

    const last = await run('logout')
    const unnamed = await run('logout')
    const other = await run('logout --profile default')

    assert.deepEqual([last.code, unnamed.code, other.code], [0, 64, 0])
    assert.equal((await run('profiles --json')).stdout, '[]\n')
    assert.ok(!readFileSync(path, 'utf8').includes(store.key))
    assert.match((await run('pets list')).stderr, /^There is no key: /)
  })

  it('no key is sent to the service of another: variables and profiles are not mixed', async (t) => {
    const { run, login } = aUser(t)
    await login(' --profile staging')

    const elsewhere = await run('pets list --url http://127.0.0.1:9/v1')
    const other = { env: { PETSTORE_KEY: 'pet_test_other', PETSTORE_URL: 'http://127.0.0.1:9/v1' } }
    const named = await run('pets list --quiet --profile staging', other)

    assert.match(elsewhere.stderr, /^There is no key: /)
    assert.deepEqual([named.code, named.stdout], [0, '1\n2\n3\n'], named.stderr)
    const mistyped = await run('pets list --profile stagign')
    assert.match(mistyped.stderr, /^There is no profile "stagign"; did you mean staging\? See/)
  })

  it('refuses a file of keys that others can read, is no JSON, or has an entry that is no profile', async (t) => {
    const { run, login, path } = aUser(t)
    await login()
    const text = readFileSync(path, 'utf8')
    for (const mode of [0o640, 0o604]) {
      chmodSync(path, mode)
      for (const line of ['pets list', 'login']) {
        const { code, stdout, stderr } = await run(line, { stdin: store.key })
        assert.deepEqual([code, stdout], [77, ''], stderr)
        assert.match(stderr, /^Other users can read the keys in .*: run chmod 600 /)
      }
    }
    chmodSync(path, 0o600)
    writeFileSync(path, text.slice(1))
    const { code, stderr } = await run('pets list')
    assert.deepEqual([code, / is not JSON: /.test(stderr)], [78, true], stderr)
    const odd = ['null', '{}', '{"current":7,"profiles":{}}', '[]']
    for (const one of ['null', '7', '{"url":7,"key":"k"}', '{"url":"nowhere","key":"k"}'])
      odd.push(`{"current":"default","profiles":{"default":${one}}}`)
    for (const content of odd) {
      writeFileSync(path, content)
      for (const line of ['pets list', 'profiles', 'logout', 'complete bash profiles --use d']) {
        const end = await run(line)
        const isCompletion = line.startsWith('complete')
        assert.equal(end.code, isCompletion ? 0 : 78, end.stderr)
        assert.match(
          end.stderr,
          isCompletion ? /^$/ : /^\S+ is not as petstore login writes it: .*\n$/,
        )
      }
    }
  })

  const completed: [words: string, candidates: string][] = [
    ['bash inv', 'inventory\n'],
    ['bash inventory list --st', '--status\n'],
    ['bash pets list --status ', 'available\npending\nsold\n'],
    ['bash pets list --profile ', 'default\nstaging\n'],
    ['bash profiles --use s', 'staging\n'],
    ['bash pets get ', '1\n2\n3\n'],
    ['bash pets get --profile staging 3', '3\n'],
    ['bash pets get --url http://127.0.0.1:9/v1 ', ''],
  ]

  it('complete: commands, options, values, ids of records and names of profiles', async (t) => {
    const { run, login } = aUser(t)
    await login()
    await login(' --profile staging')

    for (const [words, candidates] of completed) {
      const { code, stdout, stderr } = await run(`complete ${words}`)
      assert.deepEqual([code, stdout, stderr], [0, candidates, ''], words)
    }
    assert.match((await run('complete fish pets get 1')).stdout, /^1\t\w.*\n$/)
  })

  it('completion: prints the script of a shell, and refuses others', async (t) => {
    const { run } = aUser(t)
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await run(`completion ${shell}`)
      assert.deepEqual([code, stdout.includes(`petstore complete ${shell} `)], [0, true])
    }
    assert.equal((await run('completion tcsh')).code, 64)
  })
})
