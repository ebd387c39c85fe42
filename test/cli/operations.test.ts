import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { contract } from '../../src/app/operations.ts'
import { root } from '../../src/cli/commands.ts'
import { commandsBelow } from '../../src/cli/find-command.ts'
import { table } from '../../src/cli/operations/table.ts'
import { aDirectory, petstore } from '../processes/command.ts'
import { startCommands } from './start-commands.ts'

const largest = '9223372036854775807'

describe('commands over HTTP', () => {
  let service: Awaited<ReturnType<typeof startCommands>>
  before(async () => {
    service = await startCommands()
  })
  after(() => service.store.close())
  const createPet = async (...words: string[]) =>
    (await service.output(['pets', 'create', '--quiet', '--category-id', '1', ...words])).trim()

  it('each operation of the client is a command, and each command is found', () => {
    const entries = Object.values(table).flatMap((verbs) => Object.values(verbs))
    const ids = entries.map(({ operation }) => operation.id)
    const wanted = contract.flatMap(({ client, operationId, alternative }) =>
      [client, alternative?.client].filter(Boolean).map(() => operationId),
    )
    assert.deepEqual(ids.sort(), wanted.sort())
    const below = commandsBelow(root)
    for (const [group, verbs] of Object.entries(table)) {
      const target = below.overHttp[group] ?? below.commands[group]
      assert.ok(target)
      const found = commandsBelow(target).overHttp
      assert.deepEqual(Object.keys(found), Object.keys(verbs))
    }
  })

  it('pages follow each other up to --limit, and to the end with --all', async () => {
    const countOf = (text: string) => text.split('\n').length - 1
    const all = await service.output('pets list --quiet --all')

    assert.ok(countOf(all) >= 120)
    assert.equal(countOf(await service.output('pets list --quiet')), 20)
    const limited = await service.output('pets list --quiet --limit 105')
    assert.equal(countOf(limited), 105)
    assert.ok(all.startsWith(limited))
    assert.equal(
      await service.output('pets list --quiet --sort -id --limit 1'),
      `${all.trim().split('\n').at(-1)}\n`,
    )
    assert.equal(await service.output('pets list --json --name zzz'), '[]\n')
    assert.equal(await service.output('pets list --csv --columns id --name zzz'), 'id\r\n')
    assert.equal(await service.output('pets list --name zzz'), '')
  })

  it('orders ship 7 and inventory set 7 --quantity 3: an order is placed, shipped and delivered', async () => {
    const pet = await createPet('--name', 'Sunny', '--status', 'available')
    await service.output(`inventory set ${pet} --quantity 3`)
    const order = JSON.parse(
      await service.output(`orders create --pet-id ${pet} --quantity 2 --json`),
    )
    const shipped = JSON.parse(await service.output(`orders ship ${order.id} --json`))
    await service.output(`orders deliver ${order.id}`)

    assert.equal(shipped.status, 'shipped')
    assert.equal(
      await service.output(`inventory get ${pet} --csv --columns quantity`),
      'quantity\r\n1\r\n',
    )
    assert.match(await service.output(`orders get ${order.id}`), /^status +delivered$/m)
  })

  it('--data has a whole body, from a file or standard input; null by --no-NAME', async () => {
    const body = `{"name":"Max","categoryId":${largest}}`
    const { stdout: made } = await service.run('pets create --data - --json', { stdin: body })
    assert.match(made, new RegExp(`"name":"Max","categoryId":${largest}`))

    const key = JSON.parse(
      await service.output('keys create --name shop --expires-at 2090-01-01T00:00:00Z --json'),
    )
    assert.match(key.key, /^pet_/)
    const changed = JSON.parse(await service.output(`keys update ${key.id} --no-expires-at --json`))
    assert.deepEqual([changed.name, 'expiresAt' in changed], ['shop', false])
  })

  it('pets import FILE: standard input or a file, by its name; --dry-run stores nothing; --again once more', async (t) => {
    const folder = aDirectory(t)
    const path = join(folder, 'pets.jsonl')
    writeFileSync(path, '{"name":"Csv three","categoryId":1}\n')
    const stdin = `name,categoryId\nCsv one,${largest}\nCsv two,2\n`
    const imported = async (words: string, file = stdin) =>
      JSON.parse(await service.output(`pets import ${words} --json`, { stdin: file })).created
    const listed = () => service.output('pets list --name Csv --csv --columns name,categoryId')

    assert.equal(await imported('- --dry-run'), 2)
    assert.equal(await listed(), 'name,categoryId\r\n')
    assert.equal(await imported('-'), 2)
    // In a process of its own: a thread counts a file that was read as open.
    const { code, stderr } = await petstore(['pets', 'import', path], { env: service.env })
    assert.deepEqual([code, stderr], [0, ''])
    const three = `name,categoryId\r\nCsv one,${largest}\r\nCsv two,2\r\nCsv three,1\r\n`
    assert.equal(await listed(), three)
    const repeated = await service.run('pets import - --json', { stdin })
    assert.equal(JSON.parse(repeated.stdout).created, 2)
    assert.match(
      repeated.stderr,
      /^These rows were stored at \S+Z, and not again: --again 1 does\.\n$/,
    )
    assert.equal(await listed(), three)
    assert.equal(await imported('- --again 1'), 2)
    const json = await service.output('pets list --name Csv --json')
    assert.equal(await imported('- --ignore-ids', json), 5)
    const sixfold = await service.output('pets list --name Csv --quiet')
    assert.equal(sixfold.split('\n').length, 10 + 1)
    const part = `name,categoryId\n${'Csv,1\n'.repeat(1_000)}`
    await service.output('pets import -', { stdin: part })
    const longer = await service.run('pets import -', { stdin: `${part}Csv,1\n` })
    assert.equal(longer.stderr, '1,000 of these 1,001 rows were stored before, and not again.\n')
    const wrong = { stdin: 'name,categoryId\nRex,x\n' }
    const tried = await service.output('pets import - --dry-run', wrong)
    assert.match(
      tried,
      /^problems +line +code +detail +column\n +2 +invalid_body +must be an integer; .* categoryId\n/m,
    )
    const refused = await service.run('pets import -', wrong)
    assert.deepEqual([refused.code, refused.stdout], [83, ''])
    assert.match(refused.stderr, /^422 rows_refused: [^\n]*line 2, categoryId[^\n]*\n$/)
    const repair = join(folder, 'repair.csv')
    await service.output(`pets import - --on-error skip --refused ${repair}`, wrong)
    assert.match(
      readFileSync(repair, 'utf8'),
      /^error,name,categoryId\r\n.*categoryId.*,Rex,x\r\n$/,
    )
    const right = { stdin: 'name,categoryId\nRex,7\n' }
    const stored = await service.run(`pets import - --on-error skip --refused ${repair}`, right)
    assert.match(
      stored.stderr,
      /^No row was refused: .*repair\.csv, .* earlier import, is removed\.\n$/,
    )
    assert.equal(existsSync(repair), false)
    const other = await service.run('pets import - --ignore-ids', right)
    assert.match(
      other.stderr,
      /^These rows .* other options: --again 1 .*\n422 idempotency_key_reused/,
    )
    for (const words of [`--refused ${repair}`, '--again x'])
      assert.equal((await service.run(`pets import - ${words}`, wrong)).code, 64)
  })

  it('--columns etag and --if-match: a change is refused where the record was changed in between', async () => {
    const pet = await createPet('--name', 'Tagged', '--status', 'available')
    const tag = async (words: string) =>
      (await service.output(`${words} --columns etag --quiet`)).trim()
    const first = await tag(`pets list --id ${pet}`)
    const rename = ['pets', 'update', pet, '--name', 'Changed', '--if-match', first]
    const second = await tag(rename.join(' '))

    assert.match(first, /^"[^"]+"$/)
    assert.notEqual(second, first)
    assert.equal(await tag(`inventory get ${pet}`), await tag(`inventory list --pet-id ${pet}`))
    const { code, stderr } = await service.run(rename)
    assert.deepEqual([code, /^412 \w+: /.test(stderr)], [83, true], stderr)
    assert.doesNotMatch(await service.output(`pets list --id ${pet} --json`), /etag/)
  })

  it('deletes without a question where there is no terminal, and prints nothing', async () => {
    const pet = await createPet('--name', 'Gone')
    assert.equal(await service.output(`pets delete ${pet}`), '')
    assert.equal(await service.output(`pets list --id ${pet} --quiet`), '')
  })

  it('on a terminal of 20, 40 and 80 columns no line is longer, and integers are whole', async () => {
    const name = `${'犬'.repeat(30)} ${'long '.repeat(30)}`
    const pet = await createPet('--name', name)
    for (const columns of [20, 40, 80]) {
      const text = stripVTControlCharacters(
        await service.output(`pets list --id ${pet}`, { columns }),
      )
      for (const line of text.trimEnd().split('\n')) {
        const wide = line.replaceAll(/[^犬]/g, '').length
        assert.ok(line.length + wide <= columns, `${columns}: ${line}`)
      }
      assert.match(text, new RegExp(`^${pet} `, 'm'))
    }
    const events = stripVTControlCharacters(
      await service.output('events list --limit 3', { columns: 20 }),
    )
    for (const line of events.trimEnd().split('\n')) assert.ok(line.length <= 20, line)
    assert.match(
      await service.output('events list --limit 1 --columns createdAt', { columns: 80 }),
      / ago\n$/,
    )
  })

  it('characters that control a terminal, or turn the direction of text, are escaped', async () => {
    const pet = await createPet('--name', 'a\u202eb\u200fc')
    for (const format of ['', ' --csv', ' --json', ' --ndjson']) {
      const text = await service.output(`pets list --id ${pet}${format}`, { columns: 80 })
      assert.match(text, /a\\u202eb\\u200fc/)
      assert.doesNotMatch(text, /[\u200f\u202e]/)
    }
    assert.equal(
      await service.output(`pets list --id ${pet} --csv --columns name`),
      'name\r\na\u202eb\u200fc\r\n',
    )
  })

  it('without a key nothing is sent; --key-stdin reads one, and it is in no option', async () => {
    const without = { env: { PETSTORE_URL: service.store.baseUrl } }
    const { code, stderr } = await service.run('pets list', without)
    assert.deepEqual([code, /^There is no key: /.test(stderr)], [64, true])
    const piped = await service.output('pets list --quiet --limit 1 --key-stdin', {
      ...without,
      stdin: `${service.store.key}\n`,
    })
    assert.match(piped, /^\d+\n$/)
    assert.equal(await service.output('service get-liveness --quiet', without), 'live\n')
    for (const verbs of Object.values(commandsBelow(root).overHttp)) {
      for (const command of Object.values(commandsBelow(verbs).overHttp)) {
        assert.ok('options' in command && !('key' in command.options))
      }
    }
  })

  it('keys create is of the store, and over HTTP where the line or PETSTORE_URL names a service', async () => {
    const local = { env: { PETSTORE_DATABASE: 'sqlite::memory:' } }
    const ofStore = await service.run('keys create --name a', local)
    assert.match(ofStore.stderr, /^A store in memory has no keys to manage/)
    const named = await service.run(`keys create --name a --url ${service.store.baseUrl} --quiet`, {
      env: { ...local.env, PETSTORE_KEY: service.store.key },
    })
    assert.deepEqual([named.code, /^\d+\n$/.test(named.stdout)], [0, true], named.stderr)
    assert.match(await service.output('keys create --help'), /--expires-at TEXT/)
    const { stdout } = await service.run('keys create --help', local)
    assert.match(
      stdout.replaceAll(/\s+/g, ' '),
      /of the store itself: the first one, or .* lost one/,
    )
  })
})
