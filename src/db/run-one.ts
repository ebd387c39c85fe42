import type { Sql, Write } from './db.ts'

/** Runs a transaction or a batch on one input. */
export async function runOne<I, V>(write: Write<I, V>, sql: Sql, input: I): Promise<V> {
  if ('run' in write) return write.run(sql, input)
  const [value] = await runMany(write, sql, [input])
  return value as V
}

/** Runs a batch. Throws unless there is one value for each input. */
export async function runMany<I, V>(
  batch: Extract<Write<I, V>, { runMany: unknown }>,
  sql: Sql,
  inputs: readonly I[],
): Promise<V[]> {
  const values = await batch.runMany(sql, inputs)
  if (values.length === inputs.length) return values
  throw new Error(`${batch.name} returned ${values.length} values for ${inputs.length} inputs.`)
}
