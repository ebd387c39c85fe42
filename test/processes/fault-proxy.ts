import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import { listen } from '../harness/listen.ts'

/** A proxy to PostgreSQL that fails on request. */
export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>

type Moment = 'answered' | 'unsent' | 'held' | { sqlState: string }
type Cut = { statement: RegExp; moment: Moment; times: number }

/** Listens on 127.0.0.1 and forwards to a port there. It reads the messages of clients without TLS. */
export async function startFaultProxy(serverPort: number) {
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  let cut: Cut | undefined
  let isFrozen = false
  let delayMs = 0
  let cuts = 0
  let statements = 0

  function takeCut(statement: string): Moment | undefined {
    if (!cut || cut.times === 0 || !cut.statement.test(statement)) return undefined
    cut.times -= 1
    cuts += 1
    return cut.moment
  }

  const listener = createServer((client) => {
    const server = dial(serverPort, '127.0.0.1')
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
      if (isFrozen) socket.pause()
    }
    const read = createStatementReader()
    let after: Exclude<Moment, 'unsent' | 'held'> | undefined
    let transaction = ''
    client.on('data', (bytes: Buffer) => {
      for (const statement of read(bytes)) {
        statements += 1
        transaction = joined(transaction, statement)
        const moment = takeCut(transaction)
        if (moment === 'unsent') return void client.destroy()
        if (moment === 'held') return void held.push(() => server.write(bytes))
        after ??= moment
      }
      server.write(bytes)
    })
    const answers: { bytes: Buffer; dueMs: number }[] = []
    const passDue = () => {
      while (answers[0] && answers[0].dueMs <= performance.now()) {
        client.write((answers.shift() as { bytes: Buffer }).bytes)
      }
      // In order, each slightly late rather than early.
      if (answers[0]) setTimeout(passDue, Math.ceil(answers[0].dueMs - performance.now()))
    }
    server.on('data', (bytes: Buffer) => {
      if (after === 'answered') return void client.destroy()
      if (after) {
        client.write(errorOf(after.sqlState))
        after = undefined
        return
      }
      const isFirst = answers.push({ bytes, dueMs: performance.now() + delayMs }) === 1
      if (isFirst) passDue()
    })
  })
  const port = await listen(listener)

  return {
    port,
    /**
     * Cuts the connection at the next statements that match, this many times: `answered` once the server has sent its
     * result, which is dropped; with a SQLSTATE, that error is sent instead of it, as poolers do; `unsent` before the
     * server gets the statement; `held`: it is not cut, and the server gets the statement at `thaw`. Within a transaction a statement is matched together with all before it:
     * `begin; …; commit`.
     */
    cutAt(statement: RegExp, moment: Moment, times: number) {
      cut = { statement, moment, times }
    },
    /** How many connections are open. */
    get connections() {
      return sockets.size / 2
    },
    /** How many connections were cut. */
    get cuts() {
      return cuts
    },
    /** How many statements clients have run. */
    get statements() {
      return statements
    },
    /** Forwards nothing in either direction on existing connections; `all`: nor on new ones. */
    freeze(which: 'existing' | 'all') {
      isFrozen = which === 'all'
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
      for (const send of held.splice(0)) send()
    },
    /** Delays every result of the server by this time from now on. */
    delayAnswers(ms: number) {
      delayMs = ms
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}

/** An error and the end of its statement, as messages (PostgreSQL, section 54.7). */
function errorOf(sqlState: string): Buffer {
  const fields = Buffer.from(`SERROR\0C${sqlState}\0Mserver conn crashed?\0\0`)
  const head = Buffer.from('E0000')
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields, Buffer.from('Z\0\0\0\x05I')])
}

function joined(before: string, statement: string): string {
  const isWithin = before.startsWith('begin') && !/; (?:commit|rollback)$/.test(before)
  return isWithin ? `${before}; ${statement}` : statement
}

/**
 * Finds the statements that a client runs (PostgreSQL, chapter 54): the text of a simple query, or the prepared
 * statement of the bound name.
 */
function createStatementReader(): (bytes: Buffer) => string[] {
  const prepared = new Map<string, string>()
  let pending: Buffer = Buffer.alloc(0)
  let isStarted = false
  return (bytes) => {
    pending = Buffer.concat([pending, bytes])
    const statements: string[] = []
    for (;;) {
      // Only the first message of a connection has no type byte.
      const head = isStarted ? 1 : 0
      if (pending.length < head + 4) return statements
      const end = head + pending.readUInt32BE(head)
      if (pending.length < end) return statements
      const type = isStarted ? String.fromCharCode(pending[0] as number) : ''
      const [first = '', second = ''] = pending.toString('latin1', head + 4, end).split('\0')
      if (type === 'P') prepared.set(first, second)
      if (type === 'Q') statements.push(first)
      if (type === 'B') statements.push(prepared.get(second) ?? '')
      isStarted = true
      pending = pending.subarray(end)
    }
  }
}
