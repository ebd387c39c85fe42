import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandOf } from '../harness/packages.ts'
import { run, runNode } from '../harness/run.ts'
import type { Tool } from '../harness/tool.ts'

const redocly = commandOf('@redocly/cli', 'redocly')
const spectral = commandOf('@stoplight/spectral-cli', 'spectral')

type Step = { checks: { passed: boolean }[] }
type Report = { files: Record<string, { executedWorkflows: { executedSteps: Step[] }[] }> }

/** Runs the workflows of arazzo.json with a store, after two linters. */
export const respect: Tool = {
  name: 'respect',
  packages: ['@redocly/cli', '@stoplight/spectral-cli'],
  async check({ directory, baseUrl, key }) {
    const workflows = await (await fetch(`${baseUrl}/arazzo.json`)).text()
    writeFileSync(join(directory, 'arazzo.json'), workflows)
    await runNode([redocly, 'lint', 'arazzo.json', '--extends', 'recommended-strict'], directory)
    writeFileSync(join(directory, 'spectral.yaml'), 'extends: [[spectral:arazzo, all]]')
    const lint = ['lint', 'arazzo.json', '-r', 'spectral.yaml', '-F', 'hint', '--quiet']
    await runNode([spectral, ...lint], directory)
    const args = ['respect', 'arazzo.json', '--input', `apiKey=${key}`, '--json-output', 'run.json']
    const { exitCode, output } = await run(process.execPath, [redocly, ...args], directory)
    if (exitCode !== 0) throw new Error(output)
    const { files }: Report = JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8'))
    const ran = files['arazzo.json']?.executedWorkflows ?? []
    const steps = ran.flatMap(({ executedSteps }) => executedSteps)
    const checks = steps.flatMap((step) => step.checks)
    return `${checks.length} checks in ${steps.length} steps of ${ran.length} workflow pass; two linters find nothing`
  },
  faults: [
    {
      fault: 'a service that does not ship',
      distort: (answer, { path }) => {
        if (path.endsWith('/ship')) answer.body = answer.body.replace('"shipped"', '"pending"')
      },
      expected: /status == 'shipped'/,
    },
    {
      fault: 'a log without an event',
      distort: (answer, { path }) => {
        if (!path.startsWith('/v1/events')) return
        answer.body = JSON.stringify(JSON.parse(answer.body).toSpliced(1, 1))
      },
      expected: /order\.shipped/,
    },
    {
      fault: 'a document without an operation that a workflow uses',
      edit: ({ paths }) => {
        delete paths['/store/orders/{orderId}/deliver']
      },
      expected: /deliverOrder/,
    },
    {
      fault: 'an event that is not of the schema of its type',
      distort: (answer, { path }) => {
        if (path.startsWith('/v1/events')) answer.body = answer.body.replace('"petId":1', '"pet":1')
      },
      expected: /schema check/,
    },
  ],
}
