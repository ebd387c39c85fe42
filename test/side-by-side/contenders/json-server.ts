import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contender, pets, petsIn, type Running } from '../harness/contender.ts'
import { commandOf } from '../harness/packages.ts'
import { callOnce, startServer } from '../harness/server.ts'

/** A file of records, which it serves and changes. It has no key, and no base path. */
export function jsonServer(): Contender {
  const start = (folder: string) => serve(folder, { pets }, '/pets')
  return {
    name: 'json-server',
    packageName: 'json-server',
    from: 'a JSON file',
    limitName: '_limit',
    start,
    restart: start,
    hasWritten: (folder, name) => readFileSync(join(folder, 'db.json'), 'utf8').includes(name),
    serveCats: (folder) =>
      callOnce(serve(folder, { cats: [{ id: '1', name: 'Tom' }] }, '/cats'), { path: '/cats' }),
    force: {
      error: {
        by: 'a middleware that you write',
        async holds(_, folder) {
          await using refusing = await serveWith(folder, refuseCreates)
          return (await refusing.call(createAda)).status === 503
        },
      },
      delay: {
        by: '`--delay`',
        async holds(_, folder) {
          await using slow = await serve(folder, {}, '/pets', '--delay', '1000')
          const startMs = performance.now()
          await slow.call({ path: '/pets' })
          return performance.now() - startMs >= 1_000
        },
      },
      cut: {
        by: 'a middleware that you write',
        async holds(_, folder) {
          await using cutting = await serveWith(folder, cutCreates)
          const { status } = await cutting.call(createAda)
          const found = petsIn(await cutting.call({ path: '/pets?categoryId=77' }))
          return status === 0 && found.length === 1
        },
      },
    },
  }
}

const createAda = { method: 'POST', path: '/pets', body: '{"name":"Ada","categoryId":77}' }

const refuseCreates = `module.exports = (request, response, next) =>
  request.method === 'POST' ? response.status(503).end() : next()`
const cutCreates = `module.exports = (request, response, next) => {
  if (request.method === 'POST') response.end = () => request.socket.destroy()
  next()
}`

function serveWith(folder: string, middleware: string): Promise<Running> {
  const path = join(folder, 'middleware.js')
  writeFileSync(path, middleware)
  return serve(folder, {}, '/pets', '--middlewares', path)
}

function serve(
  folder: string,
  contents: object,
  firstPath: string,
  ...options: string[]
): Promise<Running> {
  const path = join(folder, 'db.json')
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(contents))
  const command = commandOf('json-server', 'json-server')
  const args = [command, path, '--port', 'PORT', '--quiet', ...options]
  const key = 'any-key'
  return startServer({
    ...{ program: process.execPath, args, cwd: folder, basePath: '', key, firstPath },
  })
}
