import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { it, type TestContext } from 'node:test'
import { startService } from '../../src/app/service.ts'
import { loadConfig } from '../../src/config/config.ts'
import { aDirectory, ask } from '../processes/command.ts'
import { readFirstKey, repositoryRoot, settingsFor } from '../processes/process.ts'

/** The files of `src` of which code runs for each create, on the serving thread and on the writer's. */
const filesMax = 32
const runsMin = 6
const runsMax = 100

type Coverage = {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[]
}

it(`a create on a warm connection passes through at most ${filesMax} files`, async (t) => {
  const session = new Session()
  session.connect()
  t.after(() => session.disconnect())
  const workers = await followWorkers(session)
  const create = await startCreating(t)
  const send = async (method: string, params = {}) => {
    const sent = [session.post(method, params) as Promise<unknown>, ...workers.send(method, params)]
    return (await Promise.all(sent)) as Coverage[]
  }
  await send('Profiler.enable')
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

  // Timers are not in all runs. On a busy machine keys are confirmed during most of them.
  let files = new Set<string>()
  for (let run = 0; run < runsMin || (files.size > filesMax && run < runsMax); run++) {
    await create()
    const ran = filesIn(await send('Profiler.takePreciseCoverage'))
    files = run === 0 ? ran : files.intersection(ran)
  }
  await send('Profiler.disable')

  t.diagnostic([...files].sort().join(' '))
  for (const name of ['http/route.ts', 'features/pets/create-pet.ts', 'features/pets/queries.ts'])
    assert.ok(files.has(name), name)
  assert.ok(files.size <= filesMax, `${files.size} files`)
})

/** A service with a store in a file; the returned function sends a create to it. */
async function startCreating(t: TestContext): Promise<() => Promise<void>> {
  const env = settingsFor(aDirectory(t))
  const service = await startService({
    config: loadConfig({}, { ...env, PETSTORE_ACCESS_LOG: 'on' }).config,
    logStream: { write: () => undefined },
    showsKey: false,
    onLost: assert.fail,
  })
  t.after(() => service.stop())
  const key = readFirstKey(env)
  const headers = { 'content-type': 'application/json' }
  const body = '{"name":"Rex","categoryId":1}'
  return async () => {
    const { status, text } = await ask(`${service.baseUrl}/pets`, key, {
      method: 'POST',
      headers,
      body,
    })
    assert.equal(status, 201, text)
  }
}

/** Sends methods of the inspector to the threads that are started from now on. */
async function followWorkers(session: Session) {
  const sessions: string[] = []
  const waiting = new Map<number, (result: Coverage) => void>()
  session.on('NodeWorker.attachedToWorker', ({ params }) => sessions.push(params.sessionId))
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const { id, result } = JSON.parse(params.message)
    waiting.get(id)?.(result)
  })
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  return {
    send: (method: string, params: object): Promise<Coverage>[] =>
      sessions.map((sessionId) => {
        const { promise, resolve } = Promise.withResolvers<Coverage>()
        const id = waiting.size + 1
        waiting.set(id, resolve)
        const message = JSON.stringify({ id, method, params })
        return session
          .post('NodeWorker.sendMessageToWorker', { sessionId, message })
          .then(() => promise)
      }),
  }
}

function filesIn(coverages: readonly Coverage[]): Set<string> {
  const scripts = coverages.flatMap(({ result }) => result)
  const ran = scripts.filter(({ functions }) =>
    functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
  )
  const root = `${repositoryRoot}src/`
  return new Set(ran.flatMap(({ url }) => url.split(root)[1] ?? []))
}
