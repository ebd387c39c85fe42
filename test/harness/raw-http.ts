import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Answer } from './contract.ts'

/** Many times what any response takes; a test that waits this long has failed. */
const waitMaxMs = 120_000

/** A response as it was received, its body decompressed. Repeated headers are joined by a comma. */
export type RawAnswer = Answer & { version: string; reason: string }

/** A connection on which any bytes can be sent. For `await using`: it is closed at the end of the block. */
export type RawConnection = Awaited<ReturnType<typeof openConnection>>

/** Opens a connection to a port of 127.0.0.1. */
export async function openConnection(
  port: number,
  options: { allowHalfOpen?: boolean; localAddress?: string } = {},
) {
  const socket = connectSocket({ port, host: '127.0.0.1', ...options })
  await once(socket, 'connect')
  // A test that fails before it closes its connections lets its process end.
  socket.unref()
  let received = Buffer.alloc(0)
  let isOver = false
  let wake = () => {}
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes as Buffer])
    wake()
  })
  const finish = () => {
    isOver = true
    wake()
  }
  socket.on('end', finish).on('close', finish).on('error', finish)

  async function more(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(
      () => reject(new Error(`no answer after ${waitMaxMs} ms; so far: ${received}`)),
      waitMaxMs,
    )
    wake = resolve
    await promise.finally(() => clearTimeout(timer))
  }

  return {
    socket,
    /** Writes text as latin1, one byte a character. */
    send(bytes: string | Buffer) {
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    },
    /** The next response; `undefined` when the connection ended before one began. `HEAD` has no body. */
    async receive(method = 'GET'): Promise<RawAnswer | undefined> {
      while (true) {
        const found = parseAnswer(received, method, isOver)
        if (found) {
          received = received.subarray(found.length)
          return found.answer
        }
        if (isOver && received.length === 0) return undefined
        if (isOver) throw new Error(`the connection ended within an answer: ${received}`)
        await more()
      }
    },
    /** Resolves once the other side has ended the connection, with the bytes that no `receive` has read. */
    async ended(): Promise<Buffer> {
      while (!isOver) await more()
      return received
    },
    /** Ends with a reset, as when a client crashes. */
    async reset() {
      if (socket.closed) return
      const closed = once(socket, 'close')
      socket.resetAndDestroy()
      await closed
    },
    async [Symbol.asyncDispose]() {
      if (socket.closed) return
      const closed = once(socket, 'close')
      socket.destroy()
      await closed
    },
  }
}

/** The first response in the bytes, and how many of them it takes; `undefined` while it is incomplete. */
function parseAnswer(bytes: Buffer, method: string, isOver: boolean) {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const [, version = '', code, reason = ''] =
    /^(HTTP\/\d\.\d) (\d{3}) ([^\r\n]*)$/.exec(statusLine) ?? []
  if (code === undefined) throw new Error(`this is no answer of HTTP: ${bytes}`)
  const status = Number(code)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:\s]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    if (name === '') throw new Error(`this is no header: ${line}`)
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  const start = headEnd + 4
  const hasBody = method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304
  const body = hasBody ? parseBody(bytes.subarray(start), headers, isOver) : none
  if (!body) return undefined
  const text = String(decode(body.bytes, headers['content-encoding']))
  return { answer: { status, headers, text, version, reason }, length: start + body.length }
}

const none = { bytes: Buffer.alloc(0), length: 0 }

function parseBody(bytes: Buffer, headers: Record<string, string>, isOver: boolean) {
  if (headers['transfer-encoding'] === 'chunked') return parseChunks(bytes)
  const announced = headers['content-length']
  if (announced === undefined) {
    return isOver ? { bytes, length: bytes.length } : undefined
  }
  const length = Number(announced)
  if (bytes.length < length) return undefined
  return { bytes: bytes.subarray(0, length), length }
}

function decode(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes
  if (coding === 'gzip') return gunzipSync(bytes)
  return coding === 'br' ? brotliDecompressSync(bytes) : bytes
}

function parseChunks(bytes: Buffer) {
  const chunks: Buffer[] = []
  let position = 0
  while (true) {
    const lineEnd = bytes.indexOf('\r\n', position)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', position, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (bytes.length < next) return undefined
    if (size === 0) return { bytes: Buffer.concat(chunks), length: next }
    chunks.push(bytes.subarray(lineEnd + 2, next - 2))
    position = next
  }
}
