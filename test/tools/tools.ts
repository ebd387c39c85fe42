import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { behindPrism, type Files, type Tool } from './tool.ts'

// biome-ignore lint/suspicious/noExplicitAny: it is edited by path, and may be wrong on purpose
type Document = Record<string, any>

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

const inDocument = (change: (document: Document) => unknown) => (files: Files) => {
  const document = JSON.parse(files['openapi.json'] ?? '')
  change(document)
  files['openapi.json'] = JSON.stringify(document)
}

const respect = 'redocly respect arazzo.json --input apiKey=$KEY'
/** The workflows of arazzo.json have passed. */
const passed = /Workflows:.* 2 passed, 2 total/

/** Linters and parsers of the document, and the workflows of `arazzo.json` by a runner, through a proxy and as a collection. */
export const documentTools: Tool[] = [
  {
    name: 'Spectral',
    command:
      'spectral lint openapi.json -r spectral.yaml -F hint && spectral lint arazzo.json -r arazzo.yaml -F hint',
    files: {
      'spectral.yaml': read('spectral.yaml'),
      'arazzo.yaml': 'extends: [[spectral:arazzo, all]]',
    },
    prints: /No results with a severity of 'hint' or higher found!/,
    fault: {
      fault: 'a list without an upper bound',
      change: inDocument(
        ({ components }) => delete components.schemas.Problem.properties.errors.maxItems,
      ),
      prints: /array-limit/,
    },
  },
  {
    name: 'Redocly',
    command: 'redocly lint openapi.json arazzo.json --extends recommended-strict',
    prints: /Your API descriptions are valid/,
    fault: {
      fault: 'an operation without a summary',
      change: inDocument(({ paths }) => delete paths['/pets'].get.summary),
      prints: /operation-summary/,
    },
  },
  ...Object.entries({
    'swagger-parser': `import SwaggerParser from '@apidevtools/swagger-parser'
      await SwaggerParser.validate('openapi.json')`,
    'Scalar parser': `import { readFileSync } from 'node:fs'
      import { validate } from '@scalar/openapi-parser'
      const { valid, errors } = await validate(JSON.parse(readFileSync('openapi.json', 'utf8')))
      if (!valid) throw new Error(JSON.stringify(errors))`,
  }).map(([name, program]) => ({
    name,
    command: 'node parse.js',
    files: { 'parse.js': `${program}\nconsole.log('valid')` },
    prints: /^valid$/m,
    fault: {
      fault: 'a reference to nothing',
      change: inDocument(({ components }) => {
        components.schemas.Pet.properties.status = { $ref: '#/components/schemas/Status' }
      }),
      prints: /Status/,
    },
  })),
  {
    name: 'respect',
    command: respect,
    prints: passed,
    fault: {
      fault: 'a document without an operation of the workflow',
      change: inDocument(({ paths }) => delete paths['/store/orders/{orderId}/deliver']),
      prints: /deliverOrder/,
    },
  },
  {
    name: 'Prism',
    command: behindPrism(`${respect} --server petstore=http://127.0.0.1:$PORT`, '--errors'),
    prints: passed,
    fault: {
      fault: 'a document in which every order names its quantity',
      change: inDocument(({ components }) => components.schemas.NewOrder.required.push('quantity')),
      prints: /orders.*UNPROCESSABLE_ENTITY/,
    },
  },
  {
    name: 'Postman',
    command: `openapi2postmanv2 -s openapi.json -o collection.json -O parametersResolution=Example,includeResponses=false &&
      node workflow.js && newman run workflow.json --env-var bearerToken=$KEY`,
    files: { 'workflow.js': read('workflow.js') },
    prints: /assertions\D+1[0-9]\D+0\D/,
    fault: {
      fault: 'a document whose first server is another',
      change: inDocument(({ servers }) => servers.unshift({ url: 'http://127.0.0.1:1/v1' })),
      prints: /ECONNREFUSED/,
    },
  },
]
