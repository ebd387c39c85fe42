import { statSync } from 'node:fs'
import type { CheckedBackup } from '../admin/backup/check-backup.ts'
import type { Manifest } from '../admin/backup/manifest.ts'
import { formatTable } from './table.ts'

/** A backup as JSON: what its manifest says, and whether `verify` finds nothing. */
export function backupAsJson(file: string, { manifest, results }: CheckedBackup) {
  const { program, schema, environment, madeAt, engine, tables, digests } = manifest
  return {
    file,
    bytes: statSync(file).size,
    madeAt,
    program,
    schema,
    environment,
    engine,
    tables: tables.map(({ name }) => {
      const { rows, sha256, lastId } = digests[name] ?? {}
      // A string, since a double cannot hold every id.
      return { name, rows, sha256, ...(lastId === undefined ? {} : { lastId: String(lastId) }) }
    }),
    findings: countFindings(results),
  }
}

/** What is in a backup, for people. */
export function formatManifest(
  file: string,
  manifest: Manifest,
  bold: (text: string) => string,
): string {
  const { program, schema, environment, madeAt, engine, tables, digests } = manifest
  const rows = tables.map(({ name }) => {
    const { rows: count = 0, lastId } = digests[name] ?? {}
    return [name, count.toLocaleString('en-US'), lastId?.toString() ?? '']
  })
  const what = `${file}: a backup of ${environment ?? 'a store without an environment'} at ${madeAt}, made by petstore ${program} from ${engineNames[engine]}, ${schema}, ${sizeOf(file)}.`
  return `${what}\n\n${formatTable(['TABLE', 'ROWS', 'LAST ID'], rows, bold)}\n`
}

const engineNames = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** How many rows and bytes a backup has, for people. */
export function amountOf(file: string, { digests }: Manifest): string {
  const rows = Object.values(digests).reduce((sum, digest) => sum + digest.rows, 0)
  return `${rows.toLocaleString('en-US')} rows, ${sizeOf(file)}`
}

export function countFindings(results: CheckedBackup['results']): number {
  return results.reduce((sum, { findings }) => sum + findings.length, 0)
}

function sizeOf(file: string): string {
  const megabytes = statSync(file).size / 1_000_000
  return `${megabytes.toLocaleString('en-US', { maximumFractionDigits: megabytes < 10 ? 1 : 0 })} MB`
}
