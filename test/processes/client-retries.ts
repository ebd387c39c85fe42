import assert from 'node:assert/strict'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PetstoreClient } from '../../client/src/index.ts'
import { showProgress } from '../harness/progress.ts'
import { SeededRandom } from '../harness/seeded-random.ts'
import { freePort } from './command.ts'
import { type Fault, faults, startHttpFaults } from './http-faults.ts'
import { type Service, settingsFor, startService } from './process.ts'

type Done = {
  creates: number
  requests: number
  replayed: number
  kills: number
  faults: Record<string, number>
}

const atOnce = 64
const kills = 10

/**
 * Creates pets through a way that fails for half of the requests, while the service is killed and started again. Throws
 * unless each create has exactly one effect, the one that it was answered with.
 */
export async function retryCreates({
  creates,
  seed,
}: {
  creates: number
  seed: number
}): Promise<Done> {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-client-'))
  const env = {
    ...settingsFor(directory.path),
    PETSTORE_PORT: await freePort(),
    PETSTORE_LOG_LEVEL: 'fatal',
  }
  let service: Service = await startService({ env })
  const proxy = await startHttpFaults(service.baseUrl)
  const random = new SeededRandom(seed)
  const counts: Record<string, number> = {}
  let requests = 0
  proxy.retryAfter = '0'
  proxy.decide = () => {
    requests += 1
    const fault = drawFault(random)
    if (fault !== undefined) counts[fault] = (counts[fault] ?? 0) + 1
    return fault
  }
  const client = new PetstoreClient({
    baseUrl: proxy.baseUrl,
    key: service.key,
    retryDelayMs: 20,
    timeoutMs: 5_000,
    maxRetries: 100,
  })

  let next = 0
  let replayed = 0
  const created = new Map<unknown, string>()
  async function createSome() {
    while (next < creates) {
      const name = `pet ${next++}`
      const { data, isReplayed } = await client.pets
        .create({ name, categoryId: 2n ** 63n - 1n })
        .withResponse()
      assert.ok(!created.has(data.id), `the id ${data.id} was given twice`)
      created.set(data.id, data.name)
      if (isReplayed) replayed += 1
      if (created.size % 500 === 0) showProgress(`${created.size} of ${creates} creates`)
    }
  }
  async function killNowAndThen() {
    for (let kill = 1; kill <= kills; kill++) {
      const due = (creates * kill) / (kills + 1)
      while (created.size < due) await new Promise((resolve) => setTimeout(resolve, 20))
      await service.kill()
      service = await startService({ env })
    }
  }

  try {
    await Promise.all([killNowAndThen(), ...Array.from({ length: atOnce }, createSome)])
    const direct = new PetstoreClient({ baseUrl: service.baseUrl, key: service.key })
    const listed = new Map<unknown, string>()
    for await (const { id, name } of direct.pets.list()) listed.set(id, name)
    assert.equal(new Set(listed.values()).size, listed.size, 'a create was performed twice')
    assert.deepEqual([...listed].sort(byName), [...created].sort(byName))
    assert.equal(listed.size, creates)
  } finally {
    await proxy.close()
    await service.stop()
  }
  return { creates, requests, replayed, kills, faults: counts }
}

/** Half of the requests fail; few are held until the client gives up, since each takes its time. */
function drawFault(random: SeededRandom): Fault | undefined {
  const fault = faults[Math.floor(random.next() * faults.length * 2)]
  return fault === 'hold' && random.next() > 0.02 ? undefined : fault
}

function byName([, a]: [unknown, string], [, b]: [unknown, string]): number {
  return a < b ? -1 : 1
}
