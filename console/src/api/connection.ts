import { createStore } from '../base/store.ts'

/** `lost`: no answer arrived. `unavailable`: the service says that it cannot serve now. */
type Connection = { state: 'open' | 'lost' | 'unavailable'; sinceMs: number }

/** Whether the service is reachable, according to the last request. */
export const connection = createStore<Connection>({ state: 'open', sinceMs: 0 })

export function noteConnection(state: Connection['state']): void {
  if (connection.get().state !== state) connection.set({ state, sinceMs: performance.now() })
}
