import { write as writeFile, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { WriteStream } from 'node:tty'
import { droppedLine } from './log.ts'
import { createLogQueue, type LogQueue, type Send } from './log-queue.ts'
import { terminalLines } from './terminal-lines.ts'

/** How long the end of the process waits for a slow reader. */
const closeMaxMs = 500

type StandardStream = WriteStream & { fd: number }

export type LogOutput = ReturnType<typeof openLogOutput>

/**
 * Standard output or standard error as the log: JSON lines, on a terminal sentences. No write blocks, whatever the
 * reader does; lines of several processes that share the stream are not mixed; a reader that is gone does not end the
 * process. What waits when the process exits is written as far as possible.
 */
export function openLogOutput(
  stream: StandardStream,
  { isShared = false }: { isShared?: boolean } = {},
) {
  const sendAll = isFile(stream) ? sendToFile(stream.fd) : sendTo(stream)
  const send = isShared ? inPieces(sendAll) : sendAll
  const queue = createLogQueue({
    send,
    droppedLine,
    ...(stream.isTTY ? { format: terminalLines(stream) } : {}),
    onGone({ message: reason }) {
      if (stream === process.stderr) return
      const message = `The log can no longer be written; the service goes on without: ${reason}`
      process.stderr.write(`${message}\n`)
    },
  })
  process.on('exit', () => writeLast(stream, queue))
  return {
    write: queue.write,
    /** Writes what waits, as far as the reader takes it within half a second. */
    close: () => queue.close(closeMaxMs),
  }
}

/** A pipe takes a write of so many bytes as a whole, or not at all. */
const pieceMaxBytes = 4_096

/** Sends a text as pieces of whole lines, one after the other. */
function inPieces(send: Send): Send {
  return (text, done) => {
    const pieces: string[] = []
    let roomBytes = 0
    for (const line of text.split('\n').slice(0, -1)) {
      const bytes = Buffer.byteLength(line) + 1
      if (bytes > roomBytes) {
        pieces.push('')
        roomBytes = pieceMaxBytes
      }
      pieces[pieces.length - 1] += `${line}\n`
      roomBytes -= bytes
    }
    const sendNext: typeof done = (error) => {
      const piece = pieces.shift()
      if (error || piece === undefined) done(error)
      else send(piece, sendNext)
    }
    sendNext()
  }
}

/** Of pipes, sockets and terminals Node makes sockets. */
function isFile(stream: StandardStream): boolean {
  return !(stream instanceof Socket)
}

function sendTo(stream: Socket): Send {
  const { _handle: handle } = stream as Socket & { _handle?: { setBlocking?(on: boolean): void } }
  // Node lets writes to a terminal block, so that Ctrl+S would stop the service.
  if ((stream as WriteStream).isTTY) handle?.setBlocking?.(false)
  return (text, done) => void stream.write(text, done)
}

/** A file, whose writes wait for the disk: they are another thread's. */
function sendToFile(descriptor: number): Send {
  return (text, done) => {
    const bytes = Buffer.from(text)
    const writeFrom = (start: number) =>
      writeFile(descriptor, bytes, start, bytes.length - start, null, (error, count) => {
        if (error || start + count === bytes.length) done(error)
        else writeFrom(start + count)
      })
    writeFrom(0)
  }
}

function writeLast(stream: StandardStream, queue: LogQueue) {
  const rest = queue.takeRest()
  if (rest === '') return
  try {
    // A pipe takes what it has room for, and never blocks.
    if (isFile(stream)) writeSync(stream.fd, rest)
    else stream.write(rest)
  } catch {
    // Nobody is left to be told.
  }
}
