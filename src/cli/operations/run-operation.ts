import { List } from '../../../client/src/list.ts'
import { settingsOf } from '../../../client/src/settings.ts'
import { Transport } from '../../../client/src/transport.ts'
import { usageError } from '../../config/exit-error.ts'
import { askWhether } from '../ask-whether.ts'
import { exitCodes } from '../exit-codes.ts'
import { tell } from '../print.ts'
import { describeRequestFailure } from './failures.ts'
import { findService, type Service, useProxy } from './find-service.ts'
import type { Row } from './lay-out.ts'
import { createPrinter, type Printer } from './print-records.ts'
import { type Flags, readRequest } from './read-request.ts'
import { sendRequest } from './send-request.ts'
import type { TableEntry } from './table.ts'

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
    await send(transportTo(service), { entry, request, limit, flags }, printer)
    return 0
  } catch (error) {
    const told = describeRequestFailure(error)
    if (told === undefined) throw error
    tell(told.sentence)
    return told.code
  }
}

/** Requests to this service; warnings go to standard error. */
export function transportTo({ url, key }: Service): Transport {
  useProxy(url)
  const onWarning = (warning: string) => tell(warning.replace(/^petstore-client: /, ''))
  return new Transport(settingsOf({ baseUrl: url, key, maxRetries, onWarning, fetch: sendRequest }))
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
  const data = await transport.call<Row>(operation, request, {
    idempotencyKey: flags['idempotency-key'] as string | undefined,
    ifMatch: flags['if-match'] as string | undefined,
  })
  if (kind === 'record') await printer.record(data)
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
