import type { SheetRow } from '../../contract/content.ts'
import { shortened } from '../../contract/problem.ts'
import type * as Type from '../../contract/type.ts'
import type { aboutBody } from '../request/describe-failure.ts'
import { compileCheck } from '../request/schema.ts'

/** What a row is: an update where it has a value for the first member of `update`, else a create. */
export type RowSchemas = { create: Type.TObject; update: Type.TObject }

export type RowCheck = ReturnType<typeof compileRow>

/** Compiles the check of rows. */
export function compileRow({ create, update }: RowSchemas, explanation: typeof aboutBody) {
  const members = Object.keys(update.properties)
  const [key = ''] = members
  const checks = {
    create: compileCheck(create, explanation),
    update: compileCheck(update, explanation),
  }
  return {
    members,
    key,
    required: (create as { required?: string[] }).required ?? [],
    properties: update.properties,
    /** Checks a row of values by members; `columns` are the names that the file has for them. */
    check(
      line: number,
      values: Record<string, unknown>,
      columns: ReadonlyMap<string, string>,
    ): SheetRow {
      const problems = key in values ? checks.update(values) : checks.create(values)
      if (problems.length === 0) return { line, values }
      return {
        line,
        problems: problems.map(({ pointer = '', detail }) => {
          const member = pointer.slice(1)
          const column = member === '' ? {} : { column: shortened(columns.get(member) ?? member) }
          return { line, ...column, code: 'invalid_body', detail }
        }),
      }
    },
  }
}
