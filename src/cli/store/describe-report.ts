import type { Result } from '../../admin/verify/verify-store.ts'
import { exitCodes } from '../../config/exit-error.ts'
import { printable } from '../../telemetry/escape.ts'
import { counted, numberOf } from '../text/print.ts'

/** The most findings of a check that are printed; `--json` has them all. */
const shownMax = 20

/** All results for JSON; `found` are the results from before the repairs. */
export function reportOf(results: readonly Result[], found?: readonly Result[]) {
  const ok = countFindings(results) === 0
  return { ok, checks: results.map(checkOf), found: found?.map(checkOf) }
}

function checkOf({ name, findings }: Result) {
  return {
    name,
    ok: findings.length === 0,
    findings: findings.map(({ record, message, repair }) => ({ record, message, repair })),
  }
}

/** A check in lines for people. */
export function describeResult({ name, promise, findings }: Result): string {
  const count = findings.length
  const lines = findings
    .slice(0, shownMax)
    .map(({ message, repair }) => message + (repair === null ? '' : ` Repair: ${repair}.`))
    .map((line) => `  ${printable(line)}`)
  if (count > shownMax) lines.push(`  and ${numberOf(count - shownMax)} more`)
  const verdict = count === 0 ? 'ok' : counted(count, 'finding')
  return [`${verdict}  ${name}: ${promise}`, ...lines, ''].join('\n')
}

/** A summary of all results, in one line for people. */
export function describeResults(results: readonly Result[]): string {
  const count = countFindings(results)
  if (count === 0) return '\nNothing is wrong.\n'
  const all = results.flatMap(({ findings }) => findings)
  const repairable = all.filter(({ repair }) => repair !== null).length
  const parts = [
    ...(repairable > 0 ? [`${numberOf(repairable)} to repair with --repair`] : []),
    ...(count > repairable ? [`${numberOf(count - repairable)} for a person to decide`] : []),
  ]
  return `\n${counted(count, 'finding')}: ${parts.join(', ')}.\n`
}

/** The exit code of a command that has verified a store, a backup or its own work. */
export function exitCodeFor(results: readonly Result[]): number {
  return countFindings(results) === 0 ? 0 : exitCodes.finding
}

export function countFindings(results: readonly Result[]): number {
  return results.reduce((sum, { findings }) => sum + findings.length, 0)
}

/** What to add about a store with findings. */
export function adviceOn(results: readonly Result[]): string[] {
  const count = countFindings(results)
  return count === 0 ? [] : [`It has ${counted(count, 'finding')}: see petstore verify.`]
}
