import { pause } from '../base/pause.ts'
import { noteChanges, noteStream } from './following.ts'
import { apiUrl } from './page-context.ts'
import { session } from './session.ts'
import { watchedFetch } from './watched-fetch.ts'

const reconnectMs = 2_000
/** The service sends something every 15 s. */
const silentMaxMs = 20_000

/** Follows the events that the key of the session may read: one stream, while the window is visible. */
export function followEvents(): void {
  let following = { key: currentKey(), stop: new AbortController() }
  function update() {
    const key = currentKey()
    if (key === following.key) return
    following.stop.abort()
    noteStream(undefined)
    following = { key, stop: new AbortController() }
    void follow(following.key, following.stop.signal)
  }
  session.subscribe(update)
  document.addEventListener('visibilitychange', update)
  void follow(following.key, following.stop.signal)
}

/** The key to follow with, if any. */
function currentKey(): string | undefined {
  const { key, endedBecause } = session.get() ?? {}
  return document.hidden || endedBecause !== undefined ? undefined : key
}

async function follow(key: string | undefined, signal: AbortSignal): Promise<void> {
  while (key !== undefined && !signal.aborted) {
    // Polling takes over.
    await readStream(key, signal).catch(() => undefined)
    if (!signal.aborted) noteStream(false)
    await pause(reconnectMs, signal)
  }
}

/** Reads the stream from now on, until it ends. */
async function readStream(key: string, signal: AbortSignal): Promise<void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silentMaxMs)
  try {
    const { ok, body } = await watchedFetch(`${apiUrl}/events`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${key}` },
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (!ok || body === null) return
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    for (let rest = ''; ; ) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silentMaxMs)
      noteStream(true)
      const lines = `${rest}${value}`.split('\n')
      rest = lines.pop() ?? ''
      noteChanges(lines.flatMap((line) => /^event: (\w+)\./.exec(line)?.[1] ?? []))
    }
  } finally {
    clearTimeout(timer)
  }
}
