import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Contender, pets, petsIn, type Reply, type Running } from '../harness/contender.ts'
import { packagesFolder } from '../harness/packages.ts'
import { stop } from '../harness/server.ts'

const base = 'http://petstore.example/v1'

/** It answers `fetch` within the process of the test, so it has no port. */
export function msw(): Contender {
  return {
    name: 'MSW',
    packageName: 'msw',
    from: 'handlers that you write',
    start,
    restart: start,
    async serveCats() {
      await using running = await start()
      return await running.call({ path: '/../cats' })
    },
    force: {
      error: {
        by: 'a handler',
        holds: forced('error', async (running) => {
          return (await running.call({ path: '/pets' })).status === 503
        }),
      },
      delay: {
        by: 'a handler with `delay`',
        holds: forced('delay', async (running) => {
          const startMs = performance.now()
          await running.call({ path: '/pets' })
          return performance.now() - startMs >= 1_000
        }),
      },
      cut: {
        by: 'a handler that stores, then `HttpResponse.error()`',
        holds: forced('cut', async (running) => {
          const body = '{"name":"Ada","categoryId":77}'
          const { status } = await running.call({ method: 'POST', path: '/pets', body })
          const found = petsIn(await running.call({ path: '/pets' }))
          return status === 0 && found.some(({ name }) => name === 'Ada')
        }),
      },
    },
  }
}

type Forced = Running & { force(name: string): Promise<unknown> }

function forced(name: string, holds: (running: Running) => Promise<boolean>) {
  return async (running: Running) => {
    await (running as Forced).force(name)
    return holds(running)
  }
}

async function start(): Promise<Forced> {
  const startMs = performance.now()
  const env = { ...process.env, PETS: JSON.stringify(pets) }
  const child = fork(join(packagesFolder, 'programs/msw.mjs'), {
    ...{ env, execArgv: [] },
    // It warns of the request that it has no handler for.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The process with MSW ended with ${code}.`)
  })
  ended.catch(() => {})
  const send = async (message: object): Promise<Reply> => {
    child.send(message)
    const [reply] = await Promise.race([once(child, 'message'), ended])
    return reply
  }
  const key = 'any-key'
  const call: Running['call'] = ({ method = 'GET', path, key: own = key, headers, body }) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const bearer = own === null ? {} : { authorization: `Bearer ${own}` }
    const init = {
      method,
      headers: { ...bearer, ...type, ...headers },
      ...(body !== undefined && { body }),
    }
    return send({ url: `${base}${path}`, init })
  }
  await call({ path: '/pets?limit=20' })
  return {
    ...{ call, key, pid: child.pid as number, readyMs: performance.now() - startMs },
    force: (name) => send({ force: name }),
    [Symbol.asyncDispose]: () => stop(child),
  }
}
