/** The message for an unknown pet id. */
export function petNotFound(id: bigint): string {
  return `There is no pet with the id ${id}.`
}
