import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runWrk } from '../../../bench/harness/wrk.ts'
import { processorMs } from '../../processes/processor-time.ts'
import { type Contender, inProcess, pets, type Running } from './contender.ts'
import { packagesFolder } from './packages.ts'

/** Each round's value by the name of the contender. */
export type Rounds = Record<string, number[]>
export type Speed = {
  readyMs: Rounds
  /** One page after another by `fetch` of one process; the processor time is that of both sides. */
  pageUs: Rounds
  pageProcessorUs: Rounds
  /** Pages a second with 64 connections, and the server's processor time of one. */
  perSecond: Rounds
  processorUs: Rounds
}

const windowMs = 2_000
const pagesPerLoop = 1_000

/** Measures in interleaved rounds, the order reversed in every second one. */
export async function measureSpeed(
  contenders: Contender[],
  { rounds, workspace, installed }: { rounds: number; workspace: string; installed: string },
): Promise<Speed> {
  const speed: Speed = {
    readyMs: {},
    pageUs: {},
    pageProcessorUs: {},
    perSecond: {},
    processorUs: {},
  }
  const add = (values: Rounds, name: string, value: number) => {
    values[name] = [...(values[name] ?? []), value]
  }
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed()
    for (const contender of order) {
      await using running = await contender.start(mkdtempSync(join(workspace, 'speed-')))
      add(speed.readyMs, contender.name, running.readyMs)
      const target = running.baseUrl ? [`${running.baseUrl}/pets?limit=20`, running.key] : ['msw']
      const loop = await runLoop(target, running)
      add(speed.pageUs, contender.name, loop.wallUs)
      add(speed.pageProcessorUs, contender.name, loop.processorUs)
      if (running.baseUrl === undefined) continue
      const load = await measureLoad(running, workspace)
      add(speed.perSecond, contender.name, load.perSecond)
      add(speed.processorUs, contender.name, load.processorUs)
    }
    const loop = await runLoop(['in-process', installed])
    add(speed.pageUs, inProcess, loop.wallUs)
    add(speed.pageProcessorUs, inProcess, loop.processorUs)
  }
  return speed
}

type Loop = { wallUs: number; processorUs: number }

/** Runs the test of `programs/loop.mjs`, beside a server where it has one. */
async function runLoop(target: string[], server?: Running): Promise<Loop> {
  const env = { ...process.env, PETS: JSON.stringify(pets) }
  const args = [String(pagesPerLoop), ...target]
  const child = fork(join(packagesFolder, 'programs/loop.mjs'), args, { env, execArgv: [] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`programs/loop.mjs ended with ${code}.`)
  })
  ended.catch(() => {})
  const reached = async () => (await Promise.race([once(child, 'message'), ended]))[0]
  const isSeparate = server?.baseUrl !== undefined
  const serverMs = () => (isSeparate ? processorMs((server as Running).pid) : 0)
  await reached()
  const beforeMs = serverMs()
  child.send('go')
  const { wallUs, processorUs } = await reached()
  const spentMs = serverMs() - beforeMs
  child.send('go')
  await ended.catch(() => {})
  return { wallUs, processorUs: processorUs + (spentMs * 1_000) / pagesPerLoop }
}

async function measureLoad({ baseUrl = '', key, pid }: Running, workspace: string) {
  const pathsFile = join(workspace, 'paths')
  writeFileSync(pathsFile, `${new URL(`${baseUrl}/pets?limit=20`).pathname}?limit=20\n`)
  const load = { baseUrl, key, pathsFile, createShare: 0, createdKinds: 'one' as const }
  // The first requests are slower: virtual machines compile what runs often.
  await runWrk({ ...load, connections: 64, durationMs: windowMs })
  const beforeMs = processorMs(pid)
  const { answers, perSecond } = await runWrk({ ...load, connections: 64, durationMs: windowMs })
  return { perSecond, processorUs: ((processorMs(pid) - beforeMs) * 1_000) / answers }
}
