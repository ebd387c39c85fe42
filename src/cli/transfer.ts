import {
  type Step,
  takeBackStore,
  transferStore,
  UnsoundStore,
  type Watch,
} from '../admin/transfer/transfer-store.ts'
import { storage } from '../app/storage.ts'
import { readOption } from '../config/config.ts'
import { exitCodes, usageError } from '../config/exit-error.ts'
import { systemClock, systemRandom } from '../context/context.ts'
import { OpenError } from '../db/errors.ts'
import { type DatabaseAddress, isInMemory } from '../db/open.ts'
import { configOf } from './config-of.ts'
import type { FlagsOf } from './define-command.ts'
import { describeResult } from './describe-report.ts'
import { numberOf, printJson, tell, timeSince } from './print.ts'
import { showLine, withProgress } from './progress.ts'

type Flags = FlagsOf<'release' | 'json', 'from' | 'to'>

/** `transfer`: moves a store to another database; says on standard error what it does. Throws `ExitError`, `OpenError`. */
export async function transferCommand(flags: Flags): Promise<number> {
  const { environment, release, json } = flags
  const config = configOf({ environment })
  const from = readDatabase('--from', flags.from) ?? config.database
  const to = readDatabase('--to', flags.to) ?? config.database
  if (release) return takeBack(flags, from)
  requireTwoPlaces(flags, from, to)
  const context = { clock: systemClock, random: systemRandom, storage }
  const request = { from, to, environment: config.environment }
  try {
    const tables = await withProgress((onProgress) =>
      transferStore(context, request, { onStep: showSteps({ json }), onProgress, warn: tell }),
    )
    if (json) printJson({ from: from.name, to: to.name, tables })
    else
      tell(
        `${from.name} is not used any more. Set PETSTORE_DATABASE to ${to.engine === 'sqlite' ? `sqlite:${to.name}` : `the address of ${to.name}`}, and start the service.`,
      )
    return 0
  } catch (error) {
    if (error instanceof UnsoundStore) return tellFindings(error, from)
    if (!(error instanceof OpenError) || error.reason !== 'ioError') throw error
    const advice = 'Run the transfer again: it begins anew, or completes what is left.'
    throw new OpenError(error.reason, `${error.message} ${advice}`, error)
  }
}

const words: Readonly<Record<Step['name'], [doing: string, done: string]>> = {
  check: ['Checking', 'Checked'],
  copy: ['Copying', 'Copied'],
  compare: ['Comparing', 'Compared'],
}

/** Says which step is running, on a terminal, and which are done. */
function showSteps({ json }: Pick<Flags, 'json'>): Watch['onStep'] {
  return ({ name, store }) => {
    const startMs = systemClock()
    const [doing, done] = words[name]
    showLine(`${doing} ${store} …`)
    return (rows) => {
      const counted = rows === undefined ? '' : `${numberOf(rows)} rows of `
      showLine('')
      if (!json) tell(`${done} ${counted}${store} in ${timeSince(startMs)}.`)
    }
  }
}

function readDatabase(option: string, text: string | undefined): DatabaseAddress | undefined {
  if (text === undefined) return undefined
  const database = readOption('database', option, text)
  if (!isInMemory(database)) return database
  throw usageError(`${option} cannot be in memory: such a store ends with its process.`)
}

function requireTwoPlaces({ from, to }: Flags, source: DatabaseAddress, target: DatabaseAddress) {
  if (isInMemory(source) || isInMemory(target)) {
    throw usageError('PETSTORE_DATABASE is in memory: such a store ends with its process.')
  }
  const isSaid = from !== undefined || to !== undefined
  if (isSaid && source.name !== target.name) return
  throw usageError(
    'Say from where and to where: --from DATABASE and --to DATABASE, two different ones. One of them may be left to PETSTORE_DATABASE.',
  )
}

/** `transfer --release`. */
async function takeBack({ to, json }: Flags, from: DatabaseAddress): Promise<number> {
  if (to !== undefined) throw usageError('--release takes --from alone.')
  const peer = await takeBackStore(storage, from)
  if (json) printJson({ released: from.name, peer })
  else
    tell(
      `${from.name} may be served again, as it was when it was transferred. Do not serve ${peer} too: each would lack the changes of the other.`,
    )
  return 0
}

function tellFindings({ store, results }: UnsoundStore, from: DatabaseAddress): number {
  const all = results.map(describeResult).join('')
  tell(
    `${all}\n${store} has findings. ${from.name} is as it was. See petstore verify, which can repair it; then transfer it.`,
  )
  return exitCodes.finding
}
