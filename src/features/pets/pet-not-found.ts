/** What is told of an id that no pet has. */
export function petNotFound(id: bigint): string {
  return `There is no pet with the id ${id}.`
}
