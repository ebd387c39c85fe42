import { commandOf } from '../harness/packages.ts'
import { runNode } from '../harness/run.ts'
import type { Tool } from '../harness/tool.ts'

const redoclyCommand = commandOf('@redocly/cli', 'redocly')

export const redocly: Tool = {
  name: 'redocly',
  packages: ['@redocly/cli'],
  async check({ directory, documentPath }) {
    const args = ['lint', documentPath, '--extends', 'recommended-strict', '--format', 'stylish']
    await runNode([redoclyCommand, ...args], directory)
    return 'no problem with recommended-strict'
  },
  faults: [
    {
      fault: 'an operation without a summary',
      edit: ({ paths }) => {
        delete paths['/pets'].get.summary
      },
      expected: /operation-summary/,
    },
    {
      fault: 'an event that may be of two types',
      edit: ({ components }) => {
        components.schemas.PetCreatedEvent.required = ['id']
      },
      expected: /no-illogical-composition-keywords/,
    },
    {
      fault: 'an example that its schema refuses',
      edit: ({ paths }) => {
        const { content } = paths['/pets'].post.requestBody
        content['application/json'] = {
          schema: content['application/json'].schema,
          example: { name: 'Rex' },
        }
      },
      expected: /categoryId/,
    },
  ],
}
