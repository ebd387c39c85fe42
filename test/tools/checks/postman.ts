import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../harness/petstore.ts'
import { commandOf } from '../harness/packages.ts'
import { run, runNode } from '../harness/run.ts'
import type { Bench, Document, Tool } from '../harness/tool.ts'

const converter = commandOf('openapi-to-postmanv2', 'openapi2postmanv2')
const newman = commandOf('newman', 'newman')

type Execution = {
  item: { name: string }
  request: { method: string; url: { path: string[] } }
  response?: { code: number; stream: { data: number[] } }
  requestError?: { code: string }
}

export const postman: Tool = {
  name: 'postman',
  packages: ['openapi-to-postmanv2', 'newman'],
  // The demo data that the examples of the document show.
  seed: 100,
  async check(bench) {
    await createRecords(bench)
    const options = 'parametersResolution=Example,folderStrategy=Tags,includeResponses=false'
    const output = ['-o', 'collection.json', '-O', options]
    await runNode([converter, '-s', bench.documentPath, ...output], bench.directory)
    const executions = await sendAll(bench)
    const failed = executions.filter((execution) => !hasSucceeded(execution))
    if (failed.length > 0) throw new Error(failed.map(describe).join('\n'))
    const count = countOperations(bench.document)
    if (executions.length !== count) {
      throw new Error(`${executions.length} requests were made of ${count} operations.`)
    }
    return `the first send of each of ${count} operations succeeds`
  },
  faults: [
    {
      fault: 'a document whose examples the demo data does not have',
      edit: (document) => replaceExamples(document, 'petId', 999_999),
      expected: /404/,
    },
    {
      fault: 'a document whose first server is another',
      edit: (document) => {
        document.servers.unshift({ url: 'http://127.0.0.1:1/v1' })
      },
      expected: /ECONNREFUSED/,
    },
    {
      fault: 'a service that cannot create pets',
      distort: (answer, { method, path }) => {
        if (method === 'POST' && path === '/v1/pets') answer.status = 500
      },
      expected: /Add an animal.*500/,
    },
  ],
}

/** The keys 2, 3 and 4, the webhooks 1 to 4 and a delivery of the first, which examples name. */
async function createRecords(bench: Bench) {
  const post = async (path: string, body: object) => {
    const { ok, status } = await call(bench, path, { method: 'POST', body })
    if (!ok) throw new Error(`POST ${path}: ${status}`)
  }
  for (const name of ['2', '3', '4']) await post('/keys', { name })
  for (const port of [1, 2, 3, 4]) await post('/webhooks', { url: `http://127.0.0.1:${port}/` })
  await post('/webhooks/1/test', {})
  const deliveries = async () => (await call(bench, '/webhooks/1/deliveries')).text()
  while ((await deliveries()) === '[]') await sleep(50)
}

/** Sends every request of the collection once, as generated, with only the key filled in. */
async function sendAll({ directory, key }: Bench): Promise<Execution[]> {
  const report = ['-r', 'json', '--reporter-json-export', 'report.json']
  const args = ['run', 'collection.json', '--env-var', `bearerToken=${key}`, ...report]
  // It fails when a request cannot be sent; the report has the reason.
  const { output } = await run(process.execPath, [newman, ...args], directory)
  try {
    return JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')).run.executions
  } catch {
    throw new Error(output)
  }
}

function hasSucceeded({ request, response }: Execution): boolean {
  const { code = 0 } = response ?? {}
  // A store of a test names no contact.
  if (request.url.path.at(-1) === 'security.txt') return code === 404
  return (code >= 200 && code < 300) || code === 304
}

function describe({ item, request, response, requestError }: Execution): string {
  const body = Buffer.from(response?.stream.data ?? []).toString()
  const answer = response ? `${response.code} ${body}` : requestError?.code
  return `${item.name}, ${request.method} /${request.url.path.join('/')}: ${answer}`
}

function countOperations({ paths }: Document): number {
  const items: Document[] = Object.values(paths)
  return items.flatMap((item) => Object.values(item)).filter((one) => one.operationId).length
}

function replaceExamples(document: Document, name: string, example: unknown) {
  for (const item of Object.values(document.paths as Record<string, Document>)) {
    for (const { parameters = [] } of Object.values(item) as Document[]) {
      for (const parameter of parameters) {
        if (parameter.name !== name || parameter.in !== 'path') continue
        delete parameter.examples
        Object.assign(parameter, { example })
      }
    }
  }
}
