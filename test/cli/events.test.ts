import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aDirectory, ask, executable, spawnCommand } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { settingsFor, startService } from '../processes/process.ts'

it('events --help: says that it is the operations where a service is named, and it is', async () => {
  const help = await petstoreInThread(['events', '--help'])
  const env = { PETSTORE_URL: 'http://127.0.0.1:9/v1' }
  const group = await petstoreInThread(['events'], { env })

  const told =
    / PETSTORE_URL names a service, petstore events is the group of its operations instead: /
  assert.match(help.stdout.replaceAll(/\s+/g, ' '), told)
  assert.match(group.stderr, /^Say which: events list, events follow or events get\./)
})

const instant = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`

it('events --limit, --type, --pet, --order, --json and --follow: prints what changed, beside a running service', async (t) => {
  const env = settingsFor(aDirectory(t))
  await using service = await startService({ env })
  const post = (path: string, body: object, method = 'POST') =>
    ask(`${service.baseUrl}${path}`, service.key, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const linesOf = async (...options: string[]) => {
    const args = ['events', ...options]
    const { stdout, stderr, code } = await petstoreInThread(args, { env })
    assert.deepEqual([code, stderr], [0, ''])
    return stdout.trimEnd().split('\n')
  }
  const categoryId = '9223372036854775807'
  await ask(`${service.baseUrl}/pets`, service.key, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"name":"Rex","categoryId":${categoryId},"status":"available"}`,
  })
  await post('/pets/1', { name: 'Max the dog' }, 'PATCH')
  await post('/store/orders', { petId: 1 })

  const lines = await linesOf('--limit', '3')
  const shapes = [
    String.raw`pet\.updated        pet 1 “Max the dog”: name Rex → “Max the dog”, by key first`,
    String.raw`order\.placed       order 1 of pet 1, by key first`,
    String.raw`pet\.updated        pet 1 “Max the dog”: status available → pending, by key first`,
  ]
  assert.equal(lines.length, shapes.length, lines.join('\n'))
  const sorted = (texts: string[]) => [...texts].sort()
  for (const shape of shapes)
    assert.ok(
      lines.some((line) => new RegExp(`^${instant}  ${shape}$`).test(line)),
      `${shape}: ${lines.join('\n')}`,
    )

  const all = (await ask(`${service.baseUrl}/events`, service.key)).text
  assert.equal(`[${(await linesOf('--json')).join(',')}]`, all)
  const typed = await linesOf('--type', 'order.placed', '--type', 'pet.created')
  assert.deepEqual(sorted(typed.map((line) => line.split(/ +/)[1] ?? '')), [
    'order.placed',
    'pet.created',
  ])
  assert.equal((await linesOf('--pet', '1')).length, 3)
  assert.match((await linesOf('--order', '1')).join('\n'), /^\S+ {2}order\.placed [^\n]*$/)

  const following = spawnCommand(
    t,
    executable('events', '--follow', '--json', '--limit', '0', '--pet', '2'),
    { env },
  )
  let created = 1
  const printed = following.waitFor(/"name":"Tara".*\n/)
  let isPrinted = false
  void printed.finally(() => (isPrinted = true))
  // It begins to follow some time after its start; pet 2 is updated until then.
  await post('/pets', { name: 'Sunny', categoryId: 2 })
  while (!isPrinted) {
    created += 1
    await post('/pets/2', { name: created % 2 === 0 ? 'Tara' : 'Jasmine' }, 'PATCH')
    await post('/pets/1', { name: `other ${created}` }, 'PATCH')
  }
  await printed

  assert.equal((await following.stop('SIGINT')).code, 0)
  assert.equal(following.output.stderr, '')
  const followed = following.output.stdout.trimEnd().split('\n')
  assert.deepEqual([...new Set(followed.map((line) => JSON.parse(line).data.id))], [2])
})

it('64: events refuses an unknown type and names the nearest, and a number out of its range', async (t) => {
  const env = settingsFor(aDirectory(t))
  for (const [options, sentence] of [
    [['--type', 'pet.creatd'], /did you mean pet\.created\?/],
    [['--limit', '10001'], /--limit must be a number from 0 to 10000\./],
    [['--pet', 'Rex'], /--pet must be a number/],
  ] as const) {
    const { code, stdout, stderr } = await petstoreInThread(['events', ...options], { env })
    assert.deepEqual([code, stdout], [64, ''])
    assert.match(stderr, sentence)
  }
})
