import { timers } from '../timers.ts'

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

export type LogQueue = ReturnType<typeof createLogQueue>

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
}: QueueOptions) {
  const chunks: Chunk[] = []
  let waitingLength = 0
  let dropped = 0
  let isWriting = false
  let isGone = false
  let timer: NodeJS.Timeout | undefined
  let onIdle = () => {}

  function append(line: string, lines = 1) {
    const text = format(line)
    let last = chunks.at(-1)
    if (!last || last.text.length >= chunkLength) {
      last = { text: '', lines: 0 }
      chunks.push(last)
    }
    last.text += text
    last.lines += lines
    waitingLength += text.length
    if (last.text.length >= chunkLength) sendNext()
    else timer ??= timers.setTimeout(sendNext, lingerMs)
  }

  function sendNext() {
    timers.clearTimeout(timer)
    timer = undefined
    if (isWriting) return
    const chunk = chunks.shift()
    if (!chunk) return onIdle()
    waitingLength -= chunk.text.length
    isWriting = true
    send(chunk.text, (error) => {
      isWriting = false
      if (error) handleFailure(error, chunk)
      else goOn()
    })
  }

  function goOn() {
    if (dropped > 0 && waitingLength <= waitingMaxLength / 2) {
      const count = dropped
      dropped = 0
      // If this line is dropped, its count is added to the next one.
      append(droppedLine(count), count)
    }
    sendNext()
  }

  function handleFailure(error: NodeJS.ErrnoException, { lines }: Chunk) {
    dropped += lines
    if (!isReaderGone.has(error.code ?? '')) {
      timer = timers.setTimeout(goOn, retryMs)
      return
    }
    isGone = true
    chunks.length = 0
    onGone?.(error)
    onIdle()
  }

  return {
    /** Queues a line of JSON for the next write; drops it where the reader is too far behind. */
    write(line: string): void {
      if (isGone) return
      const isFull = dropped > 0 || waitingLength >= waitingMaxLength
      const isKept = !isFull || (isImportant(line) && waitingLength < importantMaxLength)
      if (isKept) append(line)
      else dropped += 1
    },
    /** Hands everything that waits to the operating system, as far as it takes it within the limit. */
    async close(limitMs: number): Promise<void> {
      if (isGone) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const limit = timers.setTimeout(resolve, limitMs)
      onIdle = () => {
        timers.clearTimeout(limit)
        resolve()
      }
      sendNext()
      return promise
    },
    /** What waits and is not being written. */
    takeRest: (): string =>
      chunks
        .splice(0)
        .map(({ text }) => text)
        .join(''),
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
