import { selectDeprecatedCalls } from '../../features/deprecations/queries.ts'
import { selectKeys } from '../../features/keys/queries.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { layOut } from '../operations/lay-out.ts'
import { bold, printJson } from '../text/print.ts'
import { withStore } from './with-store.ts'

const columns = ['day', 'operation', 'keyId', 'keyName', 'calls'].map(
  (name) => ({ name, type: 'text' }) as const,
)

/** `deprecations`: who called deprecated operations, by day and key. Throws `ExitError`, `OpenError`. */
export async function deprecationsCommand(flags: FlagsOf<'json'>): Promise<number> {
  const inMemorySentence = 'A store in memory ends with its process, and counts no calls for later.'
  return withStore(flags, { inMemorySentence }, async (context) => {
    const keys = await context.db.read(selectKeys, undefined)
    const names = new Map(keys.map(({ id, name }) => [id, name]))
    const found = await context.db.read(selectDeprecatedCalls, undefined)
    const calls = found.map((one) => ({
      day: one.day,
      operation: one.operation,
      keyId: Number(one.keyId),
      keyName: names.get(one.keyId) ?? null,
      calls: one.calls,
    }))
    if (flags.json) return printJson(calls)
    if (calls.length === 0) {
      process.stdout.write('No deprecated operation was called in the last 400 days.\n')
      return
    }
    const lineOf = layOut(columns, calls, process.stdout.columns)
    process.stdout.write(`${[bold(lineOf()), ...calls.map((call) => lineOf(call))].join('\n')}\n`)
  })
}
