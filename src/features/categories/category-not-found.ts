/** The message for an unknown category id. */
export function categoryNotFound(id: bigint): string {
  return `There is no category with the id ${id}.`
}
