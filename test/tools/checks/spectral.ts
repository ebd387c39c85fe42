import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { propertyEscapes } from '../harness/faults.ts'
import { commandOf, packagesFolder } from '../harness/packages.ts'
import { run } from '../harness/run.ts'
import type { Tool } from '../harness/tool.ts'

const spectralCommand = commandOf('@stoplight/spectral-cli', 'spectral')

type Finding = { code: string; message: string; path: (string | number)[] }

export const spectral: Tool = {
  name: 'spectral',
  packages: ['@stoplight/spectral-cli', '@stoplight/spectral-owasp-ruleset'],
  async check({ directory, documentPath }) {
    cpSync(join(packagesFolder, 'spectral.yaml'), join(directory, 'spectral.yaml'))
    const args = ['lint', documentPath, '-r', 'spectral.yaml', '-F', 'hint', '--quiet']
    const report = ['-f', 'json', '-o', 'findings.json']
    const { exitCode, output } = await run(
      process.execPath,
      [spectralCommand, ...args, ...report],
      directory,
    )
    // 1 with findings, 2 when it cannot lint.
    if (exitCode > 1) throw new Error(output)
    const findings: Finding[] = JSON.parse(readFileSync(join(directory, 'findings.json'), 'utf8'))
    if (findings.length > 0) throw new Error(summarize(findings))
    if (exitCode !== 0) throw new Error(output)
    return 'no finding of spectral:oas and OWASP, but for the exceptions in spectral.yaml'
  },
  faults: [
    propertyEscapes,
    {
      fault: 'a list without an upper bound',
      edit: ({ components }) => {
        components.schemas.Problem.properties.errors.maxItems = undefined
      },
      expected: /array-limit/,
    },
    {
      fault: 'a webhook whose example its schema refuses',
      edit: ({ webhooks }) => {
        const { content } = webhooks['pet.created'].post.requestBody
        content['application/json'].examples.event.value.data.name = 7
      },
      expected: /oas3-valid-media-example/,
    },
    {
      fault: 'an operation that anybody may use',
      edit: ({ paths }) => {
        paths['/pets'].post.security = []
      },
      expected: /write-restricted/,
    },
  ],
}

/** One line for each rule: how often, and where first. */
function summarize(findings: Finding[]): string {
  const rules = Map.groupBy(findings, ({ code }) => code)
  return [...rules]
    .map(([rule, [first, ...others]]) => {
      const count = others.length + 1
      return `${rule} (${count}): ${first?.message} at ${first?.path.join('.')}`
    })
    .join('\n')
}
