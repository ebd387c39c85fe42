import { takeBackStore, transferStore } from '../admin/transfer/transfer-store.ts'
import { UnsoundStore } from '../admin/transfer/unsound-store.ts'
import { declared } from '../app/declared.ts'
import { storage } from '../app/storage.ts'
import { readOption } from '../config/config.ts'
import { ExitError } from '../config/exit-error.ts'
import { systemClock, systemRandom } from '../context/context.ts'
import type { Digests } from '../db/copying/digests.ts'
import { OpenError } from '../db/errors.ts'
import { type DatabaseAddress, isInMemory } from '../db/open.ts'
import { configOf } from './config-of.ts'
import { describeResult } from './describe-report.ts'
import { exitCodes } from './exit-codes.ts'
import { showSteps } from './show-steps.ts'

type Flags = {
  from?: string | undefined
  to?: string | undefined
  release: boolean
  json: boolean
  environment?: string | undefined
}

/** `transfer`: moves a store to another database; says on standard error what it does. Throws `ExitError`, `OpenError`. */
export async function transferCommand(flags: Flags): Promise<number> {
  const { environment, release, json } = flags
  const config = configOf({ environment })
  const from = readDatabase('--from', flags.from) ?? config.database
  const to = readDatabase('--to', flags.to) ?? config.database
  if (release) return takeBack(flags, from)
  requireTwoPlaces(flags, from, to)
  const context = { clock: systemClock, random: systemRandom, ...declared }
  const steps = showSteps(process.stderr, context.clock, { isQuiet: json })
  try {
    const request = { from, to, environment: config.environment }
    const digests = await transferStore(context, request, { ...steps, warn: tell })
    if (json) printJson({ from: from.name, to: to.name, tables: describeDigests(digests) })
    else
      tell(
        `${from.name} is not used any more. Set PETSTORE_DATABASE to ${to.engine === 'sqlite' ? `sqlite:${to.name}` : `the address of ${to.name}`}, and start the service.`,
      )
    return 0
  } catch (error) {
    steps.abandon()
    if (error instanceof UnsoundStore) return tellFindings(error, from)
    if (!(error instanceof OpenError) || error.reason !== 'ioError') throw error
    const advice = 'Run the transfer again: it begins anew, or completes what is left.'
    throw new OpenError(error.reason, `${error.message} ${advice}`, error)
  }
}

function readDatabase(option: string, text: string | undefined): DatabaseAddress | undefined {
  if (text === undefined) return undefined
  const database = readOption('database', option, text)
  if (!isInMemory(database)) return database
  throw new ExitError('usage', `${option} cannot be in memory: such a store ends with its process.`)
}

function requireTwoPlaces({ from, to }: Flags, source: DatabaseAddress, target: DatabaseAddress) {
  if (isInMemory(source) || isInMemory(target)) {
    throw new ExitError(
      'usage',
      'PETSTORE_DATABASE is in memory: such a store ends with its process.',
    )
  }
  const isSaid = from !== undefined || to !== undefined
  if (isSaid && source.name !== target.name) return
  throw new ExitError(
    'usage',
    'Say from where and to where: --from DATABASE and --to DATABASE, two different ones. One of them may be left to PETSTORE_DATABASE.',
  )
}

/** `transfer --release`. */
async function takeBack({ to, json }: Flags, from: DatabaseAddress): Promise<number> {
  if (to !== undefined) throw new ExitError('usage', '--release takes --from alone.')
  const peer = await takeBackStore(storage, from)
  if (json) printJson({ released: from.name, peer })
  else
    tell(
      `${from.name} may be served again, as it was when it was transferred. Do not serve ${peer} too: each would lack the changes of the other.`,
    )
  return 0
}

function describeDigests(digests: Digests) {
  const entries = Object.entries(digests).map(([table, { rows, sha256, lastId }]) => [
    table,
    { rows, sha256, lastId: lastId === undefined ? undefined : String(lastId) },
  ])
  return Object.fromEntries(entries)
}

function tellFindings({ store, results }: UnsoundStore, from: DatabaseAddress): number {
  const all = results.map(describeResult).join('')
  const remedy =
    store === from.name
      ? `${store} was not transferred, and is as it was. See petstore verify, which can repair it; then transfer it.`
      : `${from.name} can be served as before; transfer it again.`
  tell(`${all}\n${store} has findings. ${remedy}`)
  return exitCodes.finding
}

function tell(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
