import { scopes as allScopes, type Scope } from '../../../client/src/generated/scopes.ts'
import { createStore, useStore } from '../base/store.ts'

/** Who works in this tab: a key, and what it may do. */
type Session = {
  key: string
  scopes: readonly Scope[]
  /** Why the service rejected the key. The pages stay until another key is entered. */
  endedBecause?: string
}

/** Of this tab alone: a browser forgets it with the tab, and a reload keeps it. */
const storageName = 'petstore.session'

export const session = createStore<Session | undefined>(storedSession())

export function useSession(): Session | undefined {
  return useStore(session)
}

/** Whether the key may do this; what it may not do is not offered. */
export function useHasScope(scope: Scope): boolean {
  return useSession()?.scopes.includes(scope) ?? false
}

export function hasScope(scope: Scope): boolean {
  return session.get()?.scopes.includes(scope) ?? false
}

/** Begins to work with a key, or goes on with its successor. `scopes`: all where the service does not say what it may do. */
export function signIn(key: string, scopes: readonly Scope[] = allScopes): void {
  const begun = { key, scopes }
  sessionStorage.setItem(storageName, JSON.stringify(begun))
  session.set(begun)
}

export function signOut(): void {
  sessionStorage.removeItem(storageName)
  session.set(undefined)
}

/** The service does not take the key any more. */
export function endSession(key: string, because: string): void {
  const current = session.get()
  if (current?.key !== key || current.endedBecause !== undefined) return
  sessionStorage.removeItem(storageName)
  session.set({ ...current, endedBecause: because })
}

function storedSession(): Session | undefined {
  const text = sessionStorage.getItem(storageName)
  if (text === null) return undefined
  const { key, scopes } = JSON.parse(text)
  return { key, scopes }
}
