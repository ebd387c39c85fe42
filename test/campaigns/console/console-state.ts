import type { Page } from 'playwright-core'
import type { Scope } from '../../../client/src/generated/scopes.ts'
import type { Petstore } from '../../../src/start-petstore.ts'

export type Shown = { page: Page; petstore: Petstore }

/** How a page of the console can look, and what leads there. */
export type ConsoleState = {
  /** Below `console/`. */
  path: string
  isEmpty?: true
  isSignedOut?: true
  /** What the key may do; everything unless it says otherwise. */
  scopes?: Scope[]
  /** From the page as it is once it is signed in. It resolves when the state is reached. */
  lead?(shown: Shown): Promise<unknown>
}
