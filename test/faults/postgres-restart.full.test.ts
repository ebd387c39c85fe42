import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cases } from '../harness/extent.ts'
import { freshSeed } from '../harness/seeded-random.ts'
import { type OwnPostgres, startPostgres } from '../processes/postgres.ts'
import { type Fleet, runFault, startFleet } from '../processes/postgres-faults.ts'
import { freezeBackends, restart } from '../processes/postgres-moments.ts'

const seed = Number(process.env.FAULT_SEED ?? freshSeed())

// `npm run test:postgres` does all this many times, and measures. `FAULT_SEED=…` repeats a run.
describe('two services on one PostgreSQL, under load', () => {
  let server: OwnPostgres
  let fleet: Fleet

  before(async () => {
    server = await startPostgres()
    fleet = await startFleet(await server.createDatabase())
  })
  after(async () => {
    await fleet?.[Symbol.asyncDispose]()
    await server?.stop()
  })

  for (const mode of cases(['immediate', 'fast'] as const, { quickEvery: 2 })) {
    it(`a server restart (${mode}) loses nothing, and the server is used again`, async (t) => {
      const report = await runFault(fleet, seed, () => restart(server, mode, fleet))

      t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
    })
  }

  it('frozen sessions: results are late, not wrong', async (t) => {
    const report = await runFault(fleet, seed, (random) =>
      freezeBackends(server, random, { share: 0.5, meanwhile: () => sleep(500) }),
    )

    t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
  })
})
