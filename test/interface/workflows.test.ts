import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { startApp } from '../harness/app.ts'

/** What arazzo.json says of the operations that openapi.json describes. `npm run test:tools` runs it. */

type Parameter = { name?: string; in?: string; $ref?: string }
type Operation = { operationId: string; parameters: Parameter[]; requestBody?: unknown }
type Step = { stepId: string; operationId: string; parameters?: Parameter[]; requestBody?: unknown }
type Workflows = { sourceDescriptions: { url: string }[]; workflows: { steps: Step[] }[] }

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const text = read('src/openapi/arazzo.json')
const { paths, components } = JSON.parse(read('openapi.json')) as {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}
const operations = Object.values(paths).flatMap((path) => Object.values(path))

function problemsOfStep({ operationId, parameters = [], requestBody }: Step): string[] {
  const operation = operations.find((one) => one.operationId === operationId)
  if (!operation) return [`There is no ${operationId}.`]
  const taken = operation.parameters.map((one) => {
    const { name, in: place } = components.parameters[one.$ref?.split('/').at(-1) ?? ''] ?? one
    return `${place} ${name}`
  })
  const unknown = parameters
    .map((one) => `${one.in} ${one.name}`)
    .filter((one) => !taken.includes(one))
  const hasBody = (operation.requestBody !== undefined) === (requestBody !== undefined)
  return [...unknown, ...(hasBody ? [] : ['body'])].map((one) => `${operationId}: ${one}`)
}

it('each step is a request that its operation takes', () => {
  const { workflows } = JSON.parse(text) as Workflows
  const problems = workflows.flatMap(({ steps }) => steps.flatMap(problemsOfStep))
  assert.deepEqual(problems, [])
})

it('200: a store serves it without a key, beside the document that it refers to', async () => {
  const { api } = await startApp()

  for (const base of ['', '/v1']) {
    const served = await api.get(`${base}/arazzo.json`, { key: null })
    const workflows = served.json() as Workflows
    assert.deepEqual(workflows, JSON.parse(text))
    const { pathname } = new URL(
      workflows.sourceDescriptions[0]?.url ?? '',
      `http://x${base}/arazzo.json`,
    )
    assert.equal((await api.get(pathname, { key: null })).status, 200)
  }
})
