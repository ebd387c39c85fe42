import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../processes/process.ts'
import { type Contender, pets } from '../harness/contender.ts'
import { commandOf } from '../harness/packages.ts'
import { callOnce, startServer } from '../harness/server.ts'

/** `prism mock`, which answers with the examples of the document: its page is the same twenty pets. */
export function prism(): Contender {
  const start = (folder: string) => serve(folder, petstoreDocument(), '/pets?limit=20')
  return {
    name: 'Prism',
    packageName: '@stoplight/prism-cli',
    from: 'an OpenAPI document',
    start,
    restart: start,
    serveCats: (folder) => callOnce(serve(folder, catsDocument, '/cats'), { path: '/cats' }),
    force: {
      error: {
        by: '`Prefer: code=503`',
        async holds({ call }) {
          const headers = { prefer: 'code=503' }
          return (await call({ path: '/pets', headers })).status === 503
        },
      },
    },
  }
}

function serve(folder: string, document: object, firstPath: string) {
  const path = join(folder, 'openapi.json')
  writeFileSync(path, JSON.stringify(document))
  const args = [commandOf('@stoplight/prism-cli', 'prism'), 'mock', path, '--port', 'PORT']
  const key = 'any-key'
  return startServer({
    ...{ program: process.execPath, args, cwd: folder, basePath: '', key, firstPath },
  })
}

function petstoreDocument(): object {
  const document = JSON.parse(readFileSync(join(repositoryRoot, 'openapi.json'), 'utf8'))
  // Prism answers with the example of the schema, and with that of the response only where the schema has none.
  document.components.schemas.Pets.examples = [pets]
  return document
}

const catsDocument = {
  openapi: '3.1.0',
  info: { title: 'Cats', version: '1.0.0' },
  paths: {
    '/cats': {
      get: {
        responses: {
          200: {
            description: 'Cats',
            content: { 'application/json': { example: [{ name: 'Tom' }], schema: {} } },
          },
        },
      },
    },
  },
}
