import { setTimeout as pause } from 'node:timers/promises'
import type { ImportProgress } from '../../../client/src/generated/records.ts'
import { List } from '../../../client/src/list.ts'
import { settingsOf } from '../../../client/src/settings.ts'
import { Transport } from '../../../client/src/transport.ts'
import type { OnProgress } from '../../admin/progress.ts'
import { usageError } from '../../config/exit-error.ts'
import { systemRandom } from '../../context/context.ts'
import { askWhether } from '../ask-whether.ts'
import { exitCodes } from '../exit-codes.ts'
import { numberOf, tell } from '../print.ts'
import { describeRequestFailure } from './failures.ts'
import { findService, type Service, useProxy } from './find-service.ts'
import type { Row } from './lay-out.ts'
import { createPrinter, type Printer, write } from './print-records.ts'
import { type Flags, readRequest } from './read-request.ts'
import { createSender, type OnSent } from './send-request.ts'
import { type TableEntry, table } from './table.ts'

const pageMax = 100
const limitDefault = 20
/** An interactive user waits two seconds at most for a service that is not there. */
const maxRetries = 3

/** Sends the request of a command line and prints its result. Throws `ExitError`. */
export async function runOperation(
  entry: TableEntry,
  flags: Flags,
  ids: readonly string[],
): Promise<number> {
  if (flags.data === '-' && flags['key-stdin']) {
    throw usageError('--data - and --key-stdin exclude each other.')
  }
  const limit = limitOf(entry, flags)
  const printer = createPrinter(entry, flags)
  const request = await readRequest(entry, flags, ids)
  const service = await findService(flags)
  if (!service.key && !entry.operation.isOpen) {
    throw usageError('There is no key: set PETSTORE_KEY, or run petstore login.')
  }
  if (await isDeclined(entry, flags, ids)) {
    tell('Nothing was changed.')
    return exitCodes.refused
  }
  try {
    const sending = { entry, request, limit, flags }
    if (request.file === undefined) await send(transportTo(service), sending, printer)
    else await printer.record(await upload(service, sending))
    return 0
  } catch (error) {
    const told = describeRequestFailure(error)
    if (told === undefined) throw error
    tell(told.sentence)
    return told.code
  }
}

/** Requests to this service; warnings go to standard error. */
export function transportTo({ url, key }: Service, onSent?: OnSent): Transport {
  useProxy(url)
  const fetch = createSender(onSent)
  const onWarning = (warning: string) => tell(warning.replace(/^petstore-client: /, ''))
  return new Transport(settingsOf({ baseUrl: url, key, maxRetries, onWarning, fetch }))
}

async function isDeclined(
  { operation, summary }: TableEntry,
  flags: Flags,
  ids: readonly string[],
) {
  if (operation.method !== 'DELETE' || flags.yes) return false
  return (await askWhether(`${summary}: ${ids.join(' ')}. It cannot be undone. Do it?`)) === false
}

type Sending = {
  entry: TableEntry
  request: Awaited<ReturnType<typeof readRequest>>
  limit: number
  flags: Flags
}

async function send(
  transport: Transport,
  { entry: { kind, operation }, request, limit, flags }: Sending,
  printer: Printer,
): Promise<void> {
  if (kind === 'list') {
    const query = { limit: Math.min(limit, pageMax), ...request.query }
    const list = new List<Row>(transport, operation, { ...request, query }, {})
    return printPages(list, limit, printer)
  }
  if (kind === 'stream') {
    const events = transport.follow<Row>(operation, request.query)
    for await (const event of events) if (!(await printer.rows([event]))) return
    return
  }
  if (kind === 'file') {
    const format = flags.ndjson ? 'ndjson' : 'csv'
    const { body } = await transport.call<Response>(operation, request, { format })
    for await (const chunk of body ?? []) if (!(await write(chunk))) return
    return
  }
  const data = await transport.call<Row>(operation, request, {
    idempotencyKey: flags['idempotency-key'] as string | undefined,
    ifMatch: flags['if-match'] as string | undefined,
  })
  if (kind === 'record') await printer.record(data)
}

/** Sends a file, with bars on a terminal for what is sent and what is stored. A signal says how far it came, and how to go on. */
async function upload(
  service: Service,
  { entry: { operation }, request, flags }: Sending,
): Promise<Row> {
  // Loaded here, since other commands show no progress.
  const { showLine, withProgress } = await import('../progress.ts')
  const { file } = request
  const idempotencyKey =
    (flags['idempotency-key'] as string | undefined) ??
    Buffer.from(systemRandom(16)).toString('hex')
  const total = file instanceof Blob ? file.size : 0
  const type = flags['file-type'] as string | undefined
  const ended = new AbortController()
  let stored = 'Stopped.'
  return withProgress(
    async (onProgress) => {
      const onStored: OnProgress = (progress) => {
        stored = `Stopped: ${numberOf(progress.done)} of ${numberOf(progress.total)} rows are stored.`
        onProgress(progress)
      }
      const onSent: OnSent = (done, isWhole) => {
        if (!isWhole) return total > 0 ? onProgress({ unit: 'bytes', done, total }) : undefined
        showLine('The file is sent; the service checks it.')
        followImport(transportTo(service), idempotencyKey, { onStored, signal: ended.signal })
      }
      const transport = transportTo(service, onSent)
      const sent = transport.call<Row>(operation, request, { idempotencyKey, type })
      return await sent.finally(() => ended.abort())
    },
    () => `${stored} To go on, repeat the command with --idempotency-key ${idempotencyKey}.`,
  )
}

const progressEveryMs = 500

/** Tells how many rows of an import are stored, until the signal. */
async function followImport(
  transport: Transport,
  idempotencyKey: string,
  { onStored, signal }: { onStored: OnProgress; signal: AbortSignal },
): Promise<void> {
  const { operation } = table.pets?.['get-import'] ?? {}
  if (operation === undefined) throw new Error('No operation returns the progress of an import.')
  const input = { query: { idempotencyKey } }
  while (!signal.aborted) {
    const options = { maxRetries: 0, signal }
    const found = await transport
      .call<ImportProgress>(operation, input, options)
      .catch(() => undefined)
    const { rows: total = 0, created = 0, updated = 0, refused = 0 } = found ?? {}
    if (total > 0 && !signal.aborted)
      onStored({ unit: 'rows', done: created + updated + refused, total })
    await pause(progressEveryMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Prints pages while there is somebody who reads them. */
async function printPages(list: List<Row>, limit: number, printer: Printer): Promise<void> {
  let left = limit
  for await (const page of list.pages()) {
    const rows = page.data.slice(0, left)
    left -= rows.length
    if (!(await printer.rows(rows))) return
    if (left > 0) continue
    const isMore = page.nextCursor !== undefined || rows.length < page.data.length
    if (isMore && process.stderr.isTTY) tell('There are more: --all lists all, --limit N so many.')
    break
  }
  await printer.end()
}

function limitOf({ kind }: TableEntry, { limit, all }: Flags): number {
  if (kind !== 'list') return 0
  if (all && limit !== undefined) throw usageError('--all and --limit exclude each other.')
  if (all) return Number.POSITIVE_INFINITY
  if (limit === undefined) return limitDefault
  const count = /^\d{1,15}$/.test(String(limit)) ? Number(limit) : 0
  if (count === 0) throw usageError('--limit must be a number from 1.')
  return count
}
