/**
 * npm run test:kills -- [--only restore] [--writes 1]
 * Kills backup, restore and recover at every call that changes or syncs a file or sends to PostgreSQL, and ends the
 * sessions of a store that moves at each of the latter. What is there then: the old store whole, the new one whole, or a refusal; the same
 * command again has to complete.
 * Linux only, with a C compiler. Exits with 1 at the first violation.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { showProgress } from '../harness/progress.ts'
import { type FileCall, watchFileCalls } from '../processes/file-calls.ts'
import { makeMoveScenarios } from '../processes/kill-moves.ts'
import { makeFileScenarios, type Scenario } from '../processes/kill-scenarios.ts'
import { startPostgres } from '../processes/postgres.ts'
import { readOptions } from './options.ts'

const { only, writes: writesEvery } = readOptions({ only: '', writes: 1 })
const root = mkdtempSync(join(tmpdir(), 'petstore-kills-'))
const folder = join(root, 'place')
let failed = false

const server = await startPostgres()
try {
  const ofFiles = await makeFileScenarios(root, folder)
  const moves = await makeMoveScenarios(root, folder, server)
  const isWanted = ({ name }: Scenario) => name.startsWith(only)
  console.log('| command | calls | interruptions | what was there |\n| --- | --- | --- | --- |')
  const wanted = [...ofFiles, ...moves].filter(isWanted)
  assert.notEqual(wanted.length, 0, `No command begins with ${only}.`)
  for (const scenario of wanted) console.log(await interruptEverywhere(scenario))
  for (const scenario of moves.filter(isWanted).filter(({ name }) => name.endsWith('PostgreSQL')))
    console.log(await interruptEverywhere(scenario, endSessions))
} catch (error) {
  console.error(error)
  failed = true
} finally {
  await server.stop()
  if (!failed) rmSync(root, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)

/** Kills a command at each of its calls, or ends its sessions at each that goes to the server. Returns a row of the table. */
async function interruptEverywhere(
  scenario: Scenario,
  endSessions?: () => Promise<unknown>,
): Promise<string> {
  const name = `${scenario.name}${endSessions ? ', sessions ended' : ''}`
  const calls: FileCall[] = []
  const whole = await runIn(scenario, async (call) => {
    calls.push(call)
    return 'proceed'
  })
  assert.equal(whole.code, 0, whole.output)
  let writes = 0
  const moments = calls.flatMap(({ call, path }, moment) => {
    if (endSessions && path !== 'server') return []
    return /write|send/.test(call) && writes++ % writesEvery !== 0 ? [] : [moment]
  })
  const found: Record<string, number> = {}
  let interruptions = 0
  for (const moment of moments) {
    showProgress(`${name}: ${interruptions} of ${moments.length}`)
    let last: FileCall | undefined
    const { signal, output } = await runIn(scenario, async (call, index) => {
      if (index < moment) return 'proceed'
      last ??= call
      if (!endSessions) return 'kill'
      if (index === moment) await endSessions()
      return 'proceed'
    })
    // Threads and a server may make a call more or less.
    if (last === undefined) continue
    if (!endSessions) assert.equal(signal, 'SIGKILL', output)
    interruptions += 1
    try {
      const word = await scenario.check()
      found[word] = (found[word] ?? 0) + 1
    } catch (error) {
      const at = `${name}, before call ${moment + 1}, ${last.call} of ${last.path}`
      throw new Error(`${at}: ${(error as Error).message}`, { cause: error })
    }
  }
  const states = Object.entries(found).map(([word, count]) => `${word} ${count}`)
  return `| ${name} | ${calls.length} | ${interruptions} | ${states.join(', ')} |`
}

function endSessions() {
  return server.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname like 'petstore%'",
  )
}

async function runIn(
  { template, args, env }: Scenario,
  onCall: Parameters<typeof watchFileCalls>[0]['onCall'],
) {
  rmSync(folder, { recursive: true, force: true })
  cpSync(template, folder, { recursive: true })
  return watchFileCalls({ args: await args(), env, folder, onCall })
}
