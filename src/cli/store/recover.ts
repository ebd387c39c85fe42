import { resolve } from 'node:path'
import { type Recovered, recoverStore } from '../../admin/recover/recover-store.ts'
import { storage } from '../../app/storage.ts'
import { usageError } from '../../config/exit-error.ts'
import { systemClock } from '../../context/context.ts'
import { isInMemory } from '../../db/open.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { printJson } from '../text/print.ts'
import { configOf } from './config-of.ts'
import { adviceOn, countFindings, exitCodeFor } from './describe-report.ts'

/**
 * `recover`: makes a store of what is left of a damaged one. Resolves with the exit code `finding` where `verify` finds
 * something in it. Throws `ExitError`, `OpenError`.
 */
export async function recoverCommand({ json, environment }: FlagsOf<'json'>): Promise<number> {
  const config = configOf({ environment })
  const { database } = config
  if (database.engine === 'postgres' || isInMemory(database)) {
    throw usageError(
      'recover is for a store in a SQLite file. PostgreSQL has tools of its own: see docs/guides/postgresql.md.',
    )
  }
  const path = resolve(database.path)
  const recovered = await recoverStore(storage, path, systemClock())
  const isRecord = typeof recovered === 'object'
  if (json) printJson(asJson(path, recovered))
  else process.stdout.write(isRecord ? describe(path, recovered) : sentenceOf(path, recovered))
  return isRecord ? exitCodeFor(recovered.results) : 0
}

function sentenceOf(path: string, recovered: 'undone' | undefined): string {
  return recovered === 'undone'
    ? `${path} is back in its place, from which an interrupted command had renamed it. Nothing of it is damaged.\n`
    : `Nothing of ${path} is damaged. Nothing was changed.\n`
}

function asJson(database: string, recovered: Recovered | 'undone' | undefined) {
  if (typeof recovered !== 'object') return { database, isRecovered: false }
  const { results, ...rest } = recovered
  return { database, isRecovered: true, ...rest, findings: countFindings(results) }
}

function describe(path: string, recovered: Recovered): string {
  const { kept, lost, lostIds, salvaged, lastIds } = recovered
  const ids = Object.entries(lastIds).map(([table, id]) => `${table} ${id}`)
  return [
    `${path} is a sound store again. The damaged files are ${kept} and what begins with that name.`,
    describeLoss(lost),
    ...Object.entries(lostIds).map(
      ([table, { first, last }]) => `  ${table}: ids ${first} to ${last}, and perhaps later ones`,
    ),
    ...Object.entries(salvaged ?? {}).map(
      ([table, { rows, unreadable }]) =>
        `  ${table}: ${rows} rows saved${unreadable > 0 ? `, up to ${unreadable} could not be read` : ''}`,
    ),
    `No id up to these is assigned again: ${ids.join(', ')}.`,
    ...adviceOn(recovered.results),
    ...(lost === null
      ? []
      : ['If too much is lost, restore a backup instead: petstore restore FILE --replace.']),
    'Start the service again. Delete the damaged files once you are sure that you do not need them.',
    '',
  ].join('\n')
}

function describeLoss(lost: Recovered['lost']): string {
  if (lost === null) return 'Nothing that was acknowledged is lost.'
  if (lost === 'unknown') return 'The files do not say whether the last changes are lost.'
  const { first, last } = lost
  return first === last ? `Commit ${last} is lost.` : `Commits ${first} to ${last} are lost.`
}
