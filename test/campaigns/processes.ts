/**
 * npm run test:processes -- [--replacements 1000] [--processes 2] [--clients 16]
 * Replaces the processes of a supervisor one by one, under reads, creates and probes of which none is repeated. Exits with 1
 * where a request fails, a connection is reset, or a create is stored twice or not at all.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { showProgress } from '../harness/progress.ts'
import { startPostgres } from '../processes/postgres.ts'
import { settingsFor } from '../processes/process.ts'
import { startSteadyClients } from '../processes/steady-clients.ts'
import { startSupervised } from '../processes/supervised-service.ts'
import { readOptions } from './options.ts'

const options = readOptions({ replacements: 1_000, processes: 2, clients: 16 })
const { processes: count, replacements: replacementsMin } = options

await using stack = new AsyncDisposableStack()
const directory = mkdtempSync(join(tmpdir(), 'petstore-processes-'))
stack.defer(() => rmSync(directory, { recursive: true, force: true }))
const server = await startPostgres()
stack.defer(() => server.stop())
const address = await server.createDatabase()
const env = { ...settingsFor(directory), PETSTORE_DATABASE: address, PETSTORE_DRAIN_MS: '500' }
const after = (end: () => unknown) => stack.defer(async () => void (await end()))
const service = await startSupervised({ after } as never, env, { count })

const startedMs = performance.now()
const load = startSteadyClients(service, { count: options.clients, pauseMaxMs: 10 })
let replacements = 0
while (replacements < replacementsMin) {
  service.signal('SIGHUP')
  replacements += count
  await service.untilLogged(/^A process was replaced/, replacements)
  showProgress(`${replacements} of ${replacementsMin}: ${JSON.stringify(load.outcomes)}`)
}
const { 'GET 200': reads = 0, 'POST 201': creates = 0, ...failed } = await load.stop()
const minutes = (performance.now() - startedMs) / 60_000
const { rows } = await server.query('select count(*) from pets', new URL(address).pathname.slice(1))
const stored = Number(rows[0].count)
const warnings = service.lines().flatMap(({ level, msg }) => (level >= 40 ? [msg] : []))
const exitCode = await service.stop()

console.log(
  `${replacements} replacements in ${minutes.toFixed(1)} minutes: ${reads} reads and ${creates} creates succeeded, ${stored} pets are stored; failed: ${JSON.stringify(failed)}; warnings: ${JSON.stringify(warnings)}; exit code ${exitCode}.`,
)
const isGood = Object.keys(failed).length === 0 && stored === creates && exitCode === 0
await stack.disposeAsync()
process.exit(isGood ? 0 : 1)
