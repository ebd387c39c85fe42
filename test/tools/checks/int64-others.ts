import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../harness/petstore.ts'
import { claimOf, sectionOf } from '../harness/int64-guide.ts'
import { categoryId, createFirstPet, firstId, roundedIds } from '../harness/int64-store.ts'
import { commandOf } from '../harness/packages.ts'
import { run, runShell, versionOf } from '../harness/run.ts'
import type { Bench, Tool } from '../harness/tool.ts'
import { startPrism } from './prism.ts'

const newman = commandOf('newman', 'newman')

const script = "pm.collectionVariables.set('petId', pm.response.json().id)"

/** What docs/guides/int64.md says of tools that are no generators. */
export const int64Others: Tool[] = [
  {
    name: 'int64:prism',
    packages: ['@stoplight/prism-cli'],
    firstId,
    async check(bench) {
      const claim = claimOf('Prism: @stoplight/prism-cli 5.16.0, prism proxy')
      await using proxy = await startPrism(bench)
      const through = { baseUrl: proxy.origin, key: bench.key }
      const body = `{"name":"Zoe","categoryId":${categoryId}}`
      const passed = await call(through, '/pets', { method: 'POST', body })
      assert.match(passed.headers.get('sl-violations') ?? '', /must be <= 9007199254740991/)
      const stored = await (await call(bench, '/pets')).text()
      const rounded = `"categoryId":${categoryId + 1n}`
      assert.ok((await passed.text()).includes(rounded), 'the response is rounded')
      assert.ok(stored.includes(rounded), 'the stored pet is rounded')
      assert.ok(stored.includes(`"id":${firstId}`), 'the service is exact')
      assert.equal(claim, 'rounds')
      return 'rounds in both directions'
    },
    faults: [{ ...roundedIds, expected: /the service is exact/ }],
  },
  {
    name: 'int64:postman',
    packages: ['newman'],
    firstId,
    async check(bench) {
      const claim = claimOf('scripts of Postman, newman 6.2.2')
      const [file] = sectionOf('Postman').files
      assert.equal(await runCollection(bench, script), claim, 'as it is')
      assert.equal(await runCollection(bench, file?.text ?? ''), 'exact', 'by the guide')
      return `${claim} as it is, is exact by the guide`
    },
    // The script then keeps the id that the service sends.
    faults: [{ ...roundedIds, expected: /'exact' !== 'rounds'/ }],
  },
  {
    name: 'int64:jq',
    packages: [],
    firstId,
    async check(bench) {
      const version = await versionOf('jq --version', bench.directory)
      await createFirstPet(bench)
      const env = { BASE_URL: bench.baseUrl, KEY: bench.key }
      const [command = ''] = sectionOf('Shell').commands
      const byGuide = await runShell(command, bench.directory, env)
      assert.equal(byGuide.trim(), String(firstId), 'by the guide')
      if (version !== 'jq-1.6') return `exact by the guide; NOT TRIED: ${version ?? 'no jq'}`
      const asIs = command.replace(/int64 id$/m, "jq '.[0].id'")
      const printed = (await runShell(asIs, bench.directory, env)).trim()
      assert.equal(printed === String(firstId) ? 'exact' : 'rounds', claimOf('jq 1.6'), 'as it is')
      return 'rounds as it is, is exact by the guide'
    },
    faults: [{ ...roundedIds, expected: /9007199254740992/ }],
  },
]

/** Creates a pet, whose id the script keeps, and then another one whose category has that number. */
async function runCollection(bench: Bench, postResponse: string): Promise<string> {
  const post = (name: string, raw: string) => ({
    name,
    request: {
      method: 'POST',
      url: `${bench.baseUrl}/pets`,
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: { mode: 'raw', raw },
    },
  })
  const first = {
    ...post('first', `{"name":"Zoe","categoryId":${categoryId}}`),
    event: [{ listen: 'test', script: { exec: postResponse.split('\n') } }],
  }
  const collection = {
    info: { name: 'int64', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/' },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: bench.key }] },
    variable: [{ key: 'petId', value: '' }],
    item: [first, post('second', '{"name":"Ada","categoryId":{{petId}}}')],
  }
  writeFileSync(join(bench.directory, 'collection.json'), JSON.stringify(collection))
  const report = ['-r', 'json', '--reporter-json-export', 'report.json']
  const args = [newman, 'run', 'collection.json', ...report]
  const { output } = await run(process.execPath, args, bench.directory)
  const { executions } = JSON.parse(readFileSync(join(bench.directory, 'report.json'), 'utf8')).run
  const [one = '', other = ''] = executions.map(
    ({ response }: { response: { stream: { data: number[] } } }) =>
      Buffer.from(response.stream.data).toString(),
  )
  const sent = /"categoryId":(\d+)/.exec(other)?.[1]
  if (sent === undefined) return `failed: ${output} ${other}`
  return one.includes(`"id":${sent},`) && one.includes(String(categoryId)) ? 'exact' : 'rounds'
}
