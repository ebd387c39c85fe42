/** How long lines wait for others, so that one write carries many. */
const lingerMs = 20
/** A write carries about so much. */
const chunkLength = 32_768
/** What may wait for a reader that is behind. Beyond it lines are dropped; warnings and errors have room of their own. */
const waitingMaxLength = 1_048_576
const importantMaxLength = waitingMaxLength + 262_144
/** After a write that failed. */
const retryMs = 1_000

/** Writes a text without blocking; calls back once the operating system has taken all of it. */
export type Send = (text: string, done: (error?: NodeJS.ErrnoException | null) => void) => void

export type LogQueue = {
  /** Queues a line of JSON for the next write; drops it where the reader is too far behind. */
  write(line: string): void
  /** Hands everything that waits to the operating system, as far as it takes it within the limit. */
  close(limitMs: number): Promise<void>
  /** What waits and is not being written. */
  takeRest(): string
}

type QueueOptions = {
  send: Send
  /** The line that tells how many were dropped. */
  droppedLine(count: number): string
  /** What to write for a line. */
  format?: (line: string) => string
  /** Called once when no reader is left. */
  onGone?(error: Error): void
}

type Chunk = { text: string; lines: number }

/**
 * Lines on their way to a reader. One write is in flight at a time. A reader that stops reading costs the lines beyond
 * the limit, never time or more memory; their number is logged once it reads again.
 */
export function createLogQueue({
  send,
  droppedLine,
  format = (line) => line,
  onGone,
}: QueueOptions): LogQueue {
  const full: Chunk[] = []
  let open: Chunk = { text: '', lines: 0 }
  let waitingLength = 0
  let dropped = 0
  let isWriting = false
  let isGone = false
  let timer: NodeJS.Timeout | undefined
  let onIdle = () => {}

  function append(line: string, lines = 1) {
    const text = format(line)
    open.text += text
    open.lines += lines
    waitingLength += text.length
    if (open.text.length >= chunkLength) {
      full.push(open)
      open = { text: '', lines: 0 }
      sendNext()
    } else timer ??= setTimeout(sendNext, lingerMs)
  }

  function takeChunk(): Chunk | undefined {
    const chunk = full.shift() ?? (open.lines > 0 ? open : undefined)
    if (chunk === open) open = { text: '', lines: 0 }
    if (chunk) waitingLength -= chunk.text.length
    return chunk
  }

  function sendNext() {
    clearTimeout(timer)
    timer = undefined
    if (isWriting) return
    const chunk = takeChunk()
    if (!chunk) return onIdle()
    isWriting = true
    send(chunk.text, (error) => {
      isWriting = false
      if (error) return handleFailure(error, chunk)
      reportDropped()
      sendNext()
    })
  }

  function reportDropped() {
    if (dropped === 0 || waitingLength > waitingMaxLength / 2) return
    const count = dropped
    dropped = 0
    // Should this line be lost, its count is not.
    append(droppedLine(count), count)
  }

  function handleFailure(error: NodeJS.ErrnoException, { lines }: Chunk) {
    dropped += lines
    if (isReaderGone.has(error.code ?? '')) {
      isGone = true
      while (takeChunk());
      onGone?.(error)
      onIdle()
    } else timer = setTimeout(retry, retryMs)
  }

  function retry() {
    timer = undefined
    reportDropped()
    sendNext()
  }

  return {
    write(line) {
      if (isGone) return
      const isFull = dropped > 0 || waitingLength >= waitingMaxLength
      const isKept = !isFull || (isImportant(line) && waitingLength < importantMaxLength)
      if (isKept) append(line)
      else dropped += 1
    },
    close(limitMs) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const limit = setTimeout(resolve, limitMs)
      onIdle = () => {
        clearTimeout(limit)
        resolve()
      }
      if (isGone) onIdle()
      else sendNext()
      return promise
    },
    takeRest() {
      let rest = ''
      for (let chunk = takeChunk(); chunk; chunk = takeChunk()) rest += chunk.text
      return rest
    },
  }
}

/** A pipe or a terminal without anybody at its other end, and what Node says of a stream that has failed so. */
const isReaderGone = new Set(['EPIPE', 'EIO', 'ECONNRESET', 'ENXIO', 'ERR_STREAM_DESTROYED'])

/** Levels from 40, warn, on. */
function isImportant(line: string): boolean {
  return line.charCodeAt(levelDigit) >= warnDigit
}

const levelDigit = '{"level":'.length
const warnDigit = '4'.charCodeAt(0)
