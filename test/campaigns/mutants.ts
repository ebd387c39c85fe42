/**
 * npm run test:mutants -- [WORD …]
 * Applies each small wrong edit to a copy of the source, and requires that the tests named with it fail; with words, those whose
 * fault contains one. SIGINT stops it. Exits with 1 where a mutant survives.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Edit, type Mutant, mutants } from '../mutants/mutants.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'
import { repositoryRoot, whenThisProcessIsGone } from '../processes/process.ts'
import { workingCopy } from '../processes/working-copy.ts'

/** The time limit of one run; many times what any of them takes. */
const hangMs = 300_000
const options = ['--test', '--test-concurrency=1', '--test-reporter=spec', '--test-timeout=60000']
const isRoot = process.getuid?.() === 0

const wanted = process.argv.slice(2)
const chosen = mutants.filter(
  ({ fault }) => wanted.length === 0 || wanted.some((word) => fault.includes(word)),
)
const unmatched = wanted.filter((word) => !mutants.some(({ fault }) => fault.includes(word)))
if (unmatched.length > 0) {
  console.error(`No mutant's fault contains ${unmatched.map((word) => `"${word}"`).join(', ')}.`)
  process.exit(1)
}
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort())
const workspace = mkdtempSync(join(tmpdir(), 'petstore-mutants-'))
const root = workingCopy()
// PostgreSQL, which runs as another user, has its data in one, and is started in the other.
for (const folder of [workspace, root]) chmodSync(folder, 0o755)
for (const name of ['modules', 'postgres', 'files']) mkdirSync(join(workspace, name))
symlinkSync(join(repositoryRoot, 'console/node_modules'), join(root, 'console/node_modules'))
const knownGreen = new Set<string>()
let postgres: PostgresServer | undefined
let reds = 0
let survivors = 0
try {
  for (const mutant of chosen) {
    if (stopping.signal.aborted) break
    await tryMutant(mutant)
  }
} finally {
  await postgres?.stop()
  for (const folder of [workspace, root])
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
const untried = chosen.length - reds - survivors
console.log(`${reds} of ${reds + survivors} edits turn their tests red; ${untried} were not tried.`)
if (survivors > 0) process.exitCode = 1
if (stopping.signal.aborted) process.exitCode = 130

async function tryMutant(mutant: Mutant) {
  if (mutant.needsRoot && !isRoot) {
    console.log(`- ${mutant.fault}: not tried, its tests need root`)
    return
  }
  const problem = await problemWithoutEdit(mutant)
  if (problem !== undefined) return survived(mutant, problem)
  const originals = mutant.edits.map(
    ({ file }) => [file, readFileSync(join(root, file), 'utf8')] as const,
  )
  try {
    const lost = mutant.edits.filter((edit) => !apply(edit))
    if (lost.length > 0)
      return survived(mutant, `the edit no longer applies to ${lost.map(({ file }) => file)}`)
    await requireRed(mutant)
  } finally {
    for (const [file, text] of originals) writeFileSync(join(root, file), text)
  }
}

/** A test that fails without the edit proves nothing. */
async function problemWithoutEdit({ tests, engine }: Mutant): Promise<string | undefined> {
  for (const test of tests) {
    const name = `${test}${engine ? ` on ${engine}` : ''}`
    if (knownGreen.has(name)) continue
    if (!existsSync(join(root, test))) return `there is no ${test}`
    const { outcome, failure } = await run([test], engine)
    if (outcome === 'green') knownGreen.add(name)
    else
      return `without the edit, ${name} is ${outcome} already: ${failure ?? 'the run as a whole'}`
  }
  return undefined
}

async function requireRed(mutant: Mutant) {
  const start = performance.now()
  const { outcome, failure } = await run(mutant.tests, mutant.engine)
  const seconds = ((performance.now() - start) / 1_000).toFixed(1)
  if (outcome === 'red') {
    reds += 1
    console.log(`✔ ${mutant.fault}: red after ${seconds} s: ${failure ?? 'the run as a whole'}`)
  } else if (outcome === 'green') survived(mutant, `${mutant.tests.join(', ')} stayed green`)
  else survived(mutant, `${outcome} after ${seconds} s`)
}

function survived({ fault }: Mutant, why: string) {
  if (stopping.signal.aborted) return
  survivors += 1
  console.log(`✖ ${fault}: ${why}`)
}

/** Whether the text occurs exactly once. */
function apply({ file, find, replaceBy }: Edit): boolean {
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(find).length !== 2) return false
  writeFileSync(
    path,
    text.replace(find, () => replaceBy),
  )
  return true
}

/** `hung`: killed at the time limit, so the tests are neither red nor green. */
type Outcome = 'green' | 'red' | 'hung' | 'stopped'

/**
 * Runs these test files until one test fails, whose title is the `failure`. None of the processes that they started
 * outlives the run, however it ends.
 */
async function run(
  tests: readonly string[],
  engine: Mutant['engine'],
): Promise<{ outcome: Outcome; failure?: string | undefined }> {
  const { signal } = stopping
  if (signal.aborted) return { outcome: 'stopped' }
  const child = spawn(process.execPath, [...options, ...tests], {
    cwd: root,
    env: {
      ...process.env,
      TEST_EXTENT: 'all',
      TMPDIR: join(workspace, 'files'),
      NODE_COMPILE_CACHE: join(workspace, 'modules'),
      POSTGRES_CACHE: join(workspace, 'postgres'),
      ...(engine ? await environmentOf(engine) : {}),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own.
    detached: true,
  })
  whenThisProcessIsGone('kill -9 "-$1"', [String(child.pid)], child)
  const exited = once(child, 'exit')
  const killGroup = () => killProcessGroup(child.pid)
  const late = AbortSignal.timeout(hangMs)
  const ends = [signal, late]
  for (const end of ends) end.addEventListener('abort', killGroup)
  child.once('exit', killGroup)

  let output = ''
  let failure: string | undefined
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += chunk
    // The title of the first failed test; a file's path if it failed as a whole.
    failure ??= /^ *✖ (.+) \([\d.]+ms\)$/m.exec(output)?.[1]
    if (failure !== undefined) killGroup()
  }
  const [code] = await exited
  for (const end of ends) end.removeEventListener('abort', killGroup)
  if (signal.aborted) return { outcome: 'stopped' }
  if (failure === undefined && late.aborted) return { outcome: 'hung' }
  return { outcome: code === 0 ? 'green' : 'red', failure }
}

function killProcessGroup(leader: number | undefined) {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch (error) {
    // All processes of the group have ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function environmentOf(engine: 'postgres') {
  postgres ??= await anyPostgres()
  return { TEST_ENGINE: engine, TEST_POSTGRES: postgres.addressOf('postgres') }
}
