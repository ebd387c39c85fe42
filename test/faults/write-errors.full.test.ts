import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkStore, sendCreate, sendCreates } from '../consistency/creates/creates.ts'
import { History } from '../consistency/creates/history.ts'
import { amount } from '../harness/extent.ts'
import { freshSeed, SeededRandom } from '../harness/seeded-random.ts'
import {
  EndedEarly,
  type Exit,
  launchService,
  type Service,
  settingsFor,
  startService,
} from '../processes/process.ts'

/** The exit code for a disk that refuses to read or write. */
const ioErrorExitCode = 74
const stepBytes = amount({ quick: 6, full: 1 }) * 24_576
/** The limit is raised until this many steps were high enough for the service to start. */
const servedStepsWanted = amount({ quick: 2, full: 4 })
const stepsMax = 100
const stepsAtOnce = 2
const startAgainEvery = 6
const loadMaxMs = 60_000
const skip = process.platform === 'win32' ? 'needs ulimit' : false

interface Step {
  endedEarly: boolean
  acknowledged: number
  unavailable: number
  reads: number
  endedServing: boolean
}

// Files cannot grow beyond `ulimit -f`: SQLite gets a real SQLITE_IOERR_WRITE there. `FAULT_SEED=…` repeats a run.
it('write errors at every step of the log, also at start-up, lose nothing that was acknowledged', {
  skip,
}, async (t) => {
  const seed = Number(process.env.FAULT_SEED ?? freshSeed())
  const offsetBytes = Math.floor(new SeededRandom(seed).between(0, stepBytes) / 1024) * 1024
  const steps: Step[] = []
  while (steps.filter((step) => !step.endedEarly).length < servedStepsWanted) {
    assert.ok(steps.length < stepsMax, 'the service starts, however little its files may grow')
    const first = steps.length
    const indexes = Array.from({ length: stepsAtOnce }, (_, offset) => first + offset)
    const limited = indexes.map((index) => runStep(index, index * stepBytes + offsetBytes))
    steps.push(...(await Promise.all(limited)))
  }

  const served = steps.filter((step) => !step.endedEarly)
  const sum = (count: (step: Step) => number) => served.reduce((all, step) => all + count(step), 0)
  t.diagnostic(
    `FAULT_SEED=${seed} ${steps.length} steps, ${steps.length - served.length} ended at start-up; ` +
      `${sum((step) => step.acknowledged)} acknowledged, ` +
      `${sum((step) => step.unavailable)} answered 503, ${sum((step) => step.reads)} reads`,
  )
  assert.ok(served.length < steps.length, 'no write failed at start-up: this proves nothing')
  assert.ok(sum((step) => step.acknowledged) > 0, 'nothing was acknowledged: this proves nothing')
  assert.ok(
    sum((step) => step.unavailable) > 0,
    'no write failed while serving: this proves nothing',
  )
  assert.ok(sum((step) => step.reads) > 0)
})

it('74: the process exits when every write fails, and has lost nothing', {
  skip,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-write-errors-'))
  const history = new History()
  const env = settingsFor(directory)
  try {
    const grown = await startService({ env })
    await sendCreate(grown, history)
    await grown.kill()
    const regular = await startService({ env })
    await regular.kill()
    const limitBytes = statSync(join(directory, 'petstore.db')).size

    const isEnough = () => false
    const step = await serveWithLimit({ directory, limitBytes, history, isEnough, end: 'kill' })

    assert.ok(step.endedServing, `still serving after ${loadMaxMs} ms: ${JSON.stringify(step)}`)
    assert.ok(step.acknowledged > 0 && step.unavailable > 0 && step.reads > 0)
    await using service = await startService({ env })
    await checkStore(service, history)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

async function runStep(index: number, limitBytes: number): Promise<Step> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-write-errors-'))
  const history = new History()
  const env = settingsFor(directory)
  try {
    const step = await serveWithLimit({
      directory,
      limitBytes,
      history,
      isEnough: () => countUnavailable(history) > 0,
      end: index % 2 === 0 ? 'stop' : 'kill',
    })
    // A failed start has acknowledged nothing; that the next one succeeds is tested elsewhere.
    if (step.endedEarly && index % startAgainEvery !== 0) return step
    await using service = await startService({ env })
    await checkStore(service, history)
    return step
  } catch (error) {
    throw new Error(`with files of ${limitBytes} bytes at most`, { cause: error })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Limited {
  directory: string
  limitBytes: number
  history: History
  /** Sends creates and reads until the condition holds or the service ends. */
  isEnough(): boolean
  end: 'stop' | 'kill'
}

async function serveWithLimit({
  directory,
  limitBytes,
  history,
  isEnough,
  end,
}: Limited): Promise<Step> {
  const limit = `ulimit -f ${limitBytes / limitUnitBytes()}; exec "$0" "$@"`
  await using launch = launchService({
    env: settingsFor(directory),
    wrapper: ['sh', '-c', limit],
  })
  const service = await launch.ready.catch(endedEarly)
  if (service instanceof EndedEarly) {
    assertIoErrorExit(service.exit, directory)
    return { endedEarly: true, acknowledged: 0, unavailable: 0, reads: 0, endedServing: false }
  }
  const stopping = new AbortController()
  const signal = stopping.signal
  const creates = sendCreates(service, history, { connections: 4, signal })
  const reads = readUntilAborted(service, signal)
  let ended = false
  service.exited.then(() => (ended = true))
  const giveUpMs = performance.now() + loadMaxMs
  while (!ended && !isEnough() && performance.now() < giveUpMs) await sleep(5)
  const endedServing = ended
  stopping.abort()
  await creates
  const readCount = await reads
  const exit = await service[end]()
  if (endedServing) assertIoErrorExit(exit, directory)
  else if (end === 'stop') assert.ok([0, ioErrorExitCode].includes(exit.code ?? -1), exit.stderr)

  const attempts = [...history.creates.values()]
  const others = attempts.filter(({ status }) => ![undefined, 201, 503].includes(status))
  assert.deepEqual(others, [], 'a create is answered with 201 or 503')
  return {
    endedEarly: false,
    acknowledged: history.count('acknowledged'),
    unavailable: countUnavailable(history),
    reads: readCount,
    endedServing,
  }
}

function countUnavailable(history: History): number {
  return [...history.creates.values()].filter(({ status }) => status === 503).length
}

function endedEarly(error: unknown): EndedEarly {
  if (error instanceof EndedEarly) return error
  throw error
}

/** Counts the reads. Every one must get 200 as long as the process runs. */
async function readUntilAborted(service: Service, signal: AbortSignal): Promise<number> {
  const headers = { authorization: `Bearer ${service.key}` }
  for (let count = 0; ; count++) {
    if (signal.aborted) return count
    const response = await fetch(`${service.baseUrl}/pets?limit=5`, { headers }).catch(() => {})
    if (response === undefined) {
      const gone = await Promise.race([service.exited, sleep(10_000, undefined, { ref: false })])
      assert.ok(gone, 'a read was not answered, and the process is still there')
      return count
    }
    const text = await response.text().catch(() => '')
    assert.equal(response.status, 200, `a read while writes fail: ${text}`)
  }
}

function assertIoErrorExit(exit: Exit, directory: string): void {
  assert.equal(exit.code, ioErrorExitCode, `${exit.signal} ${exit.stderr}`)
  assert.ok(exit.stderr.includes(directory), `names no path: ${exit.stderr}`)
  assert.doesNotMatch(exit.stderr, /^ +at /m, 'a sentence, not a stack')
}

let knownUnitBytes: number | undefined
/** 512 by POSIX, 1,024 in some shells. */
function limitUnitBytes(): number {
  if (knownUnitBytes !== undefined) return knownUnitBytes
  const directory = mkdtempSync(join(tmpdir(), 'petstore-ulimit-'))
  const file = join(directory, 'file')
  const fill = `ulimit -f 8; trap '' XFSZ; head -c 65536 /dev/zero > "$0" 2> /dev/null; true`
  execFileSync('sh', ['-c', fill, file])
  knownUnitBytes = statSync(file).size / 8
  rmSync(directory, { recursive: true })
  return knownUnitBytes
}
