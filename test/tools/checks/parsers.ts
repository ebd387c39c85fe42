import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../harness/run.ts'
import type { Tool } from '../harness/tool.ts'

const document = `JSON.parse((await import('node:fs')).readFileSync('openapi.json', 'utf8'))`

/** Programs that fail with what a parser finds wrong. */
const programs = {
  'swagger-parser': `
    import SwaggerParser from '@apidevtools/swagger-parser'
    await SwaggerParser.validate(${document})`,
  scalar: `
    import { validate } from '@scalar/openapi-parser'
    const { valid, errors } = await validate(${document})
    if (!valid) throw new Error(JSON.stringify(errors))`,
}

const byBoth = (reason: string) => new RegExp(`^swagger-parser: .*${reason}.*^scalar: `, 'ms')

export const parsers: Tool = {
  name: 'parsers',
  packages: ['@apidevtools/swagger-parser', '@scalar/openapi-parser'],
  async check({ directory }) {
    const problems: string[] = []
    for (const [name, program] of Object.entries(programs)) {
      writeFileSync(join(directory, 'parse.js'), program)
      const { exitCode, output } = await run(process.execPath, ['parse.js'], directory)
      if (exitCode !== 0) problems.push(`${name}: ${output}`)
    }
    if (problems.length > 0) throw new Error(problems.join('\n'))
    return 'it is valid for both'
  },
  faults: [
    {
      fault: 'a parameter that is nowhere',
      edit: ({ paths }) => {
        paths['/pets'].get.parameters[0] = { name: 'limit', schema: { type: 'integer' } }
      },
      expected: byBoth("'in'"),
    },
    {
      fault: 'a reference to nothing',
      edit: ({ components }) => {
        components.schemas.Pet.properties.status = { $ref: '#/components/schemas/Status' }
      },
      expected: byBoth('Status'),
    },
  ],
}
