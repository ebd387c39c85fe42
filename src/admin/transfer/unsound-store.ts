import type { Result } from '../verify/verify-store.ts'

/** A store has findings of `petstore verify`, so it is not transferred. */
export class UnsoundStore extends Error {
  override name = 'UnsoundStore'
  readonly store: string
  readonly results: readonly Result[]

  constructor(store: string, results: readonly Result[]) {
    super(`${store} has findings.`)
    this.store = store
    this.results = results
  }
}
