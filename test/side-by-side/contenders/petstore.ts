import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contender, pets, petsIn, type Running } from '../harness/contender.ts'
import { startServer } from '../harness/server.ts'

/** Runs as it is installed from its package. */
export function petstore(installed: string): Contender {
  const bin = join(installed, 'node_modules/petstore-service/bin/petstore')
  const common = { program: process.execPath, basePath: '/v1', firstPath: '/pets?limit=20' }
  return {
    name: 'this',
    from: 'nothing',
    start(folder) {
      const path = join(folder, 'fixture.json')
      writeFileSync(path, JSON.stringify({ pets: pets.map(({ id: _, ...pet }) => pet) }))
      const options = ['--ephemeral', '--port', 'PORT', '--json', '--fixture', path]
      return startServer({ ...common, args: [bin, 'serve', ...options], cwd: folder })
    },
    restart(folder) {
      const options = ['--environment', 'staging', '--port', 'PORT']
      const keyFile = join(folder, 'first-key')
      const env = {
        PETSTORE_DATABASE: `sqlite:${join(folder, 'petstore.db')}`,
        PETSTORE_FIRST_KEY_FILE: keyFile,
      }
      return startServer({ ...common, args: [bin, 'serve', ...options], cwd: folder, env, keyFile })
    },
    force: {
      error: {
        by: '`Prefer: code=503`',
        async holds({ call }) {
          const headers = { prefer: 'code=503' }
          return (await call({ path: '/pets', headers })).status === 503
        },
      },
      delay: {
        by: '`Prefer: wait=1`',
        async holds({ call }) {
          const startMs = performance.now()
          await call({ path: '/pets', headers: { prefer: 'wait=1' } })
          return performance.now() - startMs >= 1_000
        },
      },
      cut: {
        by: 'a fault `cut: after`',
        async holds(running) {
          await control(
            running,
            'POST',
            '/faults',
            '{"operation":"createPet","cut":"after","times":1}',
          )
          const body = '{"name":"Ada","categoryId":77}'
          const { status } = await running.call({ method: 'POST', path: '/pets', body })
          const found = petsIn(await running.call({ path: '/pets?categoryId=77' }))
          return status === 0 && found.length === 1
        },
      },
      clock: {
        by: 'a clock of its own',
        async holds(running) {
          await control(running, 'PATCH', '/clock', '{"now":"2030-12-05T00:00:00Z"}')
          return (await running.call({ path: '/pets/1' })).status === 410
        },
      },
    },
  }
}

/** The test bench, beside `/v1`. */
async function control(
  { baseUrl = '', key }: Running,
  method: string,
  path: string,
  body: string,
): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const url = new URL(`/test-bench${path}`, baseUrl)
  const { ok, status } = await fetch(url, { method, headers, body })
  if (!ok) throw new Error(`${method} ${path} of the test bench gets ${status}.`)
}
