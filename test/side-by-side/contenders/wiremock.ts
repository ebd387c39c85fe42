import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contender, pets, petsIn, type Running } from '../harness/contender.ts'
import { folderOf } from '../harness/packages.ts'
import { callOnce, startServer } from '../harness/server.ts'

const page = { method: 'GET', urlPath: '/v1/pets' }
const create = { method: 'POST', urlPath: '/v1/pets' }
const json = { 'Content-Type': 'application/json' }
/** Later stubs come first, unless they have a lower priority, which is a higher number. */
const byDefault = { priority: 9 }

/** Stubs in files, as its documentation begins: a page, and a pet that repeats what was sent. */
const stubs = [
  { ...byDefault, request: page, response: { status: 200, headers: json, jsonBody: pets } },
  {
    ...byDefault,
    request: create,
    response: {
      status: 201,
      headers: json,
      body: '{"id":21,"name":"{{jsonPath request.body \'$.name\'}}","categoryId":{{jsonPath request.body \'$.categoryId\'}} }',
      transformers: ['response-template'],
    },
  },
]

/** A journal of as many requests as ours keeps. */
const options = ['--port', 'PORT', '--root-dir', '.', '--max-request-journal-entries', '10000']

export function wiremock(): Contender {
  const start = (folder: string) => serve(folder, stubs, '/pets?limit=20')
  const cats = { request: { urlPath: '/v1/cats' }, response: { status: 200, jsonBody: [{}] } }
  return {
    name: 'WireMock',
    packageName: 'wiremock',
    from: 'stubs that you write',
    start,
    restart: start,
    serveCats: (folder) => callOnce(serve(folder, [cats], '/cats'), { path: '/cats' }),
    force: {
      error: {
        by: 'a stub',
        async holds(running) {
          await add(running, { request: page, response: { status: 503 } })
          return (await running.call({ path: '/pets' })).status === 503
        },
      },
      delay: {
        by: 'a stub with `fixedDelayMilliseconds`',
        async holds(running) {
          const response = { status: 200, fixedDelayMilliseconds: 1_000 }
          await add(running, { request: page, response })
          const startMs = performance.now()
          await running.call({ path: '/pets' })
          return performance.now() - startMs >= 1_000
        },
      },
      cut: {
        by: 'a scenario of two stubs',
        async holds(running) {
          const scenarioName = 'cut after the effect'
          await add(running, {
            ...{ scenarioName, requiredScenarioState: 'Started', newScenarioState: 'created' },
            ...{ request: create, response: { fault: 'EMPTY_RESPONSE' } },
          })
          const ada = [{ id: 21, name: 'Ada', categoryId: 77 }]
          const request = { ...page, queryParameters: { categoryId: { equalTo: '77' } } }
          const response = { status: 200, headers: json, jsonBody: ada }
          await add(running, { scenarioName, requiredScenarioState: 'created', request, response })
          const body = '{"name":"Ada","categoryId":77}'
          const { status } = await running.call({ method: 'POST', path: '/pets', body })
          const found = petsIn(await running.call({ path: '/pets?categoryId=77' }))
          return status === 0 && found.length === 1
        },
      },
    },
  }
}

function serve(folder: string, mappings: object[], firstPath: string): Promise<Running> {
  const [jar = ''] = globSync('build/wiremock-standalone-*.jar', { cwd: folderOf('wiremock') })
  mkdirSync(join(folder, 'mappings'), { recursive: true })
  writeFileSync(join(folder, 'mappings/pets.json'), JSON.stringify({ mappings }))
  const args = ['-jar', join(folderOf('wiremock'), jar), ...options]
  const key = 'any-key'
  return startServer({ program: 'java', args, cwd: folder, basePath: '/v1', key, firstPath })
}

async function add({ baseUrl = '' }: Running, stub: object): Promise<void> {
  const url = new URL('/__admin/mappings', baseUrl)
  const { ok, status } = await fetch(url, { method: 'POST', body: JSON.stringify(stub) })
  if (!ok) throw new Error(`WireMock refuses a stub with ${status}.`)
}
