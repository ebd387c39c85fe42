import { pause } from '../base/pause.ts'
import { client } from './client.ts'
import { noteChanges, noteStream } from './following.ts'
import { session } from './session.ts'

const followAgainMs = 2_000
/** The service sends something every 15 s. */
const timeoutMs = 20_000

/** Follows the events that the key of the session may read: one stream, while the window is visible. */
export function followEvents(): void {
  let key: string | undefined
  let stop = new AbortController()
  function update() {
    if (key === currentKey()) return
    key = currentKey()
    stop.abort()
    stop = new AbortController()
    noteStream(undefined)
    if (key !== undefined) void follow(stop.signal)
  }
  session.subscribe(update)
  document.addEventListener('visibilitychange', update)
  update()
}

/** The key to follow with, if any. */
function currentKey(): string | undefined {
  const { key, endedBecause } = session.get() ?? {}
  return document.hidden || endedBecause !== undefined ? undefined : key
}

async function follow(signal: AbortSignal): Promise<void> {
  // The first event is one that is still to come: what is shown is fetched again when the stream opens.
  const onConnection = (isOpen: boolean) => signal.aborted || noteStream(isOpen)
  while (!signal.aborted) {
    try {
      for await (const { type } of client.events.follow({ signal, timeoutMs, onConnection }))
        noteChanges([type.split('.')[0] ?? ''])
    } catch {
      // Not followed for now, or events were missed: polling takes over.
      await pause(followAgainMs, signal)
    }
  }
}
