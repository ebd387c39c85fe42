import { statSync } from 'node:fs'
import type { CheckedBackup } from '../../admin/backup/check-backup.ts'
import { rowsIn } from '../../db/copying/copy-store.ts'
import { printable } from '../../telemetry/escape.ts'
import { layOut } from '../operations/lay-out.ts'
import { bold, numberOf } from '../text/print.ts'
import { countFindings } from './describe-report.ts'

/** A backup as JSON: what its manifest says, and whether `verify` finds nothing. */
export function backupAsJson(file: string, { manifest, digests, results }: CheckedBackup) {
  const { program, schema, environment, madeAt, engine } = manifest
  return {
    file,
    bytes: statSync(file).size,
    madeAt,
    program,
    schema,
    environment,
    engine,
    tables: Object.entries(digests).map(([name, digest]) => ({ name, ...digest })),
    findings: countFindings(results),
  }
}

/** What is in a backup, for people. */
export function formatManifest(file: string, { manifest, digests }: CheckedBackup): string {
  const { program, schema, environment, madeAt, engine } = manifest
  const tables = Object.entries(digests).map(([table, { rows, lastId }]) => {
    return { table, rows: numberOf(rows), lastId }
  })
  const lineOf = layOut(columns, tables, process.stdout.columns)
  const lines = [bold(lineOf()), ...tables.map((table) => lineOf(table))]
  const what = `${file}: a backup of ${environment ?? 'a store without an environment'} at ${madeAt}, made by petstore ${program} from ${engineNames[engine]}, ${schema}, ${sizeOf(file)}.`
  return `${printable(what)}\n\n${lines.join('\n')}\n\n`
}

const columns = ['table', 'rows', 'lastId'].map((name) => ({ name, type: 'text' }) as const)
const engineNames = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** How many rows and bytes a backup has, for people. */
export function amountOf(file: string, { digests }: Pick<CheckedBackup, 'digests'>): string {
  return `${numberOf(rowsIn(digests))} rows, ${sizeOf(file)}`
}

function sizeOf(file: string): string {
  const megabytes = statSync(file).size / 1_000_000
  return `${megabytes.toLocaleString('en-US', { maximumFractionDigits: megabytes < 10 ? 1 : 0 })} MB`
}
