/** Makes something close at the end of its scope: `await using one = closing(await open())`. */
export function closing<T extends { close(): Promise<void> }>(one: T): T & AsyncDisposable {
  return Object.assign(one, { [Symbol.asyncDispose]: () => one.close() })
}
