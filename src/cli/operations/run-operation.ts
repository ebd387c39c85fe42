import type { Answer } from '../../../client/src/call.ts'
import { List } from '../../../client/src/list.ts'
import { settingsOf } from '../../../client/src/settings.ts'
import { Transport } from '../../../client/src/transport.ts'
import { exitCodes, usageError } from '../../config/exit-error.ts'
import { limitDefault, limitMax } from '../../contract/paging.ts'
import { askWhether } from '../text/ask-whether.ts'
import { tell } from '../text/print.ts'
import { exitOnFailure } from './failures.ts'
import { findService, noKey, type Service, useProxy } from './find-service.ts'
import type { Row } from './lay-out.ts'
import { createPrinter, type Printer, write } from './print-records.ts'
import { type Flags, readRequest } from './read-request.ts'
import { createFetch } from './send-request.ts'
import type { TableEntry } from './table.ts'

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
    throw noKey()
  }
  if (await isDeclined(entry, flags, ids)) {
    tell('Nothing was changed.')
    return exitCodes.refused
  }
  await exitOnFailure(send(service, { entry, request, limit, flags }, printer))
  return 0
}

/** Requests to this service; warnings go to standard error. */
export function transportTo({ url, key }: Service): Transport {
  useProxy(url)
  const fetch = createFetch()
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

async function send(service: Service, sending: Sending, printer: Printer): Promise<void> {
  const { entry, request, flags } = sending
  const { kind, operation } = entry
  if (kind === 'list') return printPages(transportTo(service), sending, printer)
  if (kind === 'stream') {
    const events = transportTo(service).follow<Row>(operation, request.query)
    for await (const event of events) if (!(await printer.rows([event]))) return
  }
  if (kind === 'file') {
    const format = flags.ndjson ? 'ndjson' : 'csv'
    const { body } = await transportTo(service).call<Response>(operation, request, { format })
    for await (const chunk of body ?? []) if (!(await write(chunk))) return
    return
  }
  if (kind === 'blob') {
    const { isTTY } = process.stdout
    if (isTTY)
      throw usageError(`A file is no text for a terminal: add > ${request.ids?.join('-')}.`)
    const file = await transportTo(service).call<Blob>(operation, request, {})
    await write(new Uint8Array(await file.arrayBuffer()))
    return
  }
  const { data, etag } = await call(service, sending)
  if (kind === 'nothing') return
  await printer.rows([flags.columns ? { ...data, etag } : data])
  await printer.end()
}

async function call(service: Service, { entry, request, flags }: Sending): Promise<Answer<Row>> {
  const { operation } = entry
  const { imported: file, ...input } = request
  if (file !== undefined) {
    // Loaded here, since other commands take no file.
    const { importFile } = await import('./import-file.ts')
    return importFile(transportTo(service), { operation, file, query: input.query }, flags)
  }
  const options = {
    idempotencyKey: flags['idempotency-key'] as string | undefined,
    ifMatch: flags['if-match'] as string | undefined,
  }
  return transportTo(service).call<Row>(operation, input, options).withResponse()
}

/** Prints pages while there is somebody who reads them. */
async function printPages(
  transport: Transport,
  { entry, request, limit, flags }: Sending,
  printer: Printer,
): Promise<void> {
  const query = { limit: Math.min(limit, limitMax), ...request.query }
  const list = new List<Row>(transport, entry.operation, { ...request, query }, {})
  let left = limit
  for await (const { data, etag, nextCursor } of list.pages()) {
    const rows = data.slice(0, left).map((row) => (flags.columns ? { ...row, etag } : row))
    left -= rows.length
    if (!(await printer.rows(rows))) return
    if (left > 0) continue
    const isMore = nextCursor !== undefined || rows.length < data.length
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
