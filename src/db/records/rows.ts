import type { Column, Query, Sql } from '../db.ts'

/** A record with the members that it has: those that are null or undefined are left out. */
export function presentMembers<R extends object>(members: { [Name in keyof R]: unknown }): R {
  const entries = Object.entries(members).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  return Object.fromEntries(entries) as R
}

/** Columns of one type. */
export function columnsOf(type: Column['type'], ...names: readonly string[]): Column[] {
  return names.map((name) => ({ name, type }))
}

/** A query without an input, which runs once for all that ask. */
export function queryOnce<O>(select: (sql: Sql) => Promise<O>): Query<undefined, O> {
  return {
    key: () => '',
    async run(sql, inputs) {
      const found = await select(sql)
      return inputs.map(() => found)
    },
  }
}
