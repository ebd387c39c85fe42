import { listDeprecatedCalls } from '../../features/deprecations/list-deprecated-calls.ts'
import { selectKeys } from '../../features/keys/queries.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { printJson } from '../text/print.ts'
import { formatTable } from '../text/table.ts'
import { withStore } from './with-store.ts'

/** `deprecations`: who called deprecated operations, by day and key. Throws `ExitError`, `OpenError`. */
export async function deprecationsCommand(flags: FlagsOf<'json'>): Promise<number> {
  const inMemorySentence = 'A store in memory ends with its process, and counts no calls for later.'
  return withStore(flags, { inMemorySentence }, async (context) => {
    const keys = await context.db.read(selectKeys, undefined)
    const names = new Map(keys.map(({ id, name }) => [id, name]))
    const calls = (await listDeprecatedCalls(context)).map((one) => ({
      day: one.day,
      operation: one.operation,
      keyId: Number(one.keyId),
      keyName: names.get(one.keyId) ?? null,
      calls: one.calls,
    }))
    if (flags.json) return printJson(calls)
    const rows = calls.map((one) => Object.values(one).map((value) => String(value ?? '')))
    process.stdout.write(
      rows.length === 0
        ? 'No deprecated operation was called in the last 400 days.\n'
        : formatTable(['DAY', 'OPERATION', 'KEY', 'NAME', 'CALLS'], rows),
    )
  })
}
