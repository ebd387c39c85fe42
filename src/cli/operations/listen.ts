import { readFileSync, writeFileSync } from 'node:fs'
import { type EventType, type FollowOptions, PetstoreClient } from '../../../client/src/index.ts'
import { ExitError, usageError } from '../../config/exit-error.ts'
import { systemClock, systemRandom } from '../../context/context.ts'
import { stringifyJson } from '../../contract/int64-json.ts'
import { createSender } from '../../features/webhooks/deliver/send-attempt.ts'
import { secretBytes, secretText, signedHeaders } from '../../features/webhooks/deliver/sign.ts'
import { createTargets } from '../../features/webhooks/deliver/targets.ts'
import { printable } from '../../telemetry/escape.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { readEventType } from '../arguments/read-event-type.ts'
import { idMax, readInteger } from '../arguments/read-integer.ts'
import { printJson, tell } from '../text/print.ts'
import { findService, noKey, type Service, useProxy } from './find-service.ts'

type ListenFlags = FlagsOf<
  'json' | 'key-stdin',
  'forward' | 'url' | 'profile' | 'after' | 'secret-file',
  'type'
>

/** An event as the feed has it: `text` is what is sent. */
type Forwarded = { id: bigint; type: string; text: string }

/**
 * `webhooks listen`: sends each event of a service to an address of this machine, as its webhooks would, until Ctrl+C.
 * Throws `ExitError`.
 */
export async function listenCommand(flags: ListenFlags): Promise<number> {
  const target = readTarget(flags.forward)
  const afterSentence = `--after must be the id of an event, from 0 to ${idMax}.`
  const after = readInteger(flags.after, [0n, idMax], afterSentence)
  const types = flags.type?.map(readEventType) as EventType[] | undefined
  const path = flags['secret-file']
  const secret = path ? keptSecret(path) : systemRandom(secretBytes)
  const shown = path ? `the secret in ${path}` : secretText(secret)
  const service = await findService(flags)
  if (!service.key) throw noKey()
  const stopping = stopsOnSignal()
  tell(`Events are sent to ${target}, signed with ${shown}; Ctrl+C ends this.`)
  const events = followService(service, { after, type: types, signal: stopping })
  await forwardAll(events, { target, secret, stopping, isJson: flags.json })
  return 0
}

/** Aborted by Ctrl+C, by SIGTERM, and when nobody reads standard output any more. */
function stopsOnSignal(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  process.stdout.once('error', () => stopping.abort())
  return stopping.signal
}

type Followed = FollowOptions & { type: EventType[] | undefined; signal: AbortSignal }

/** The events of a service, which may be elsewhere. Throws `ExitError`. */
async function* followService(
  { url, key }: Service,
  { signal, ...query }: Followed,
): AsyncGenerator<Forwarded> {
  try {
    useProxy(url)
    const client = new PetstoreClient({ baseUrl: url, key, onWarning: tell })
    const onConnection = (isOpen: boolean) => {
      if (!isOpen && !signal.aborted)
        tell('The connection to the service has ended; connecting again.')
    }
    for await (const event of client.events.follow({ ...query, signal, onConnection })) {
      yield { id: BigInt(event.id), type: event.type, text: stringifyJson(event) }
    }
  } catch (error) {
    if (!signal.aborted) throw new ExitError('ioError', (error as Error).message, error)
  }
}

type Forwarding = { target: URL; secret: Uint8Array; stopping: AbortSignal; isJson: boolean }

/** Sends events one after the other, and prints what became of each. */
async function forwardAll(
  events: AsyncIterable<Forwarded>,
  { target, secret, stopping, isJson }: Forwarding,
): Promise<void> {
  // Whoever runs the command chooses the receiver.
  const sender = createSender(createTargets({ hosts: ['0.0.0.0/0', '::/0'], isOwn: () => false }))
  stopping.addEventListener('abort', () => sender.close())
  for await (const { id, type, text } of events) {
    const body = Buffer.from(text)
    const headers = signedHeaders([secret], { id: String(id), body }, systemClock())
    const { retryAfter, ...outcome } = await sender.send({ url: target.href, headers, body })
    if (stopping.aborted) break
    const { responseStatus, durationMs, error = '' } = outcome
    const result = responseStatus === undefined ? error : `${responseStatus} after ${durationMs} ms`
    if (isJson) printJson({ eventId: id, type, ...outcome })
    else process.stdout.write(`event ${id}  ${type}  ${printable(result)}\n`)
  }
  sender.close()
}

function readTarget(text: string | undefined): URL {
  const url = text === undefined ? null : URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url
  throw usageError('Say where events are sent: --forward URL, such as http://127.0.0.1:3000/hook.')
}

const secretPattern = /^whsec_([A-Za-z\d+/]{32,88}={0,2})\s*$/

/** The secret in a file, which is made where there is none. Throws `ExitError`. */
function keptSecret(path: string): Uint8Array {
  try {
    const secret = systemRandom(secretBytes)
    writeFileSync(path, `${secretText(secret)}\n`, { flag: 'wx', mode: 0o600 })
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw usageError(
        `--secret-file ${path} cannot be written: ${(error as Error).message}.`,
        error,
      )
  }
  const [, encoded] = secretPattern.exec(textOf(path)) ?? []
  if (encoded !== undefined) return Buffer.from(encoded, 'base64')
  throw usageError(`--secret-file ${path} has no secret: whsec_ and 24 to 64 bytes in base64.`)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw usageError(`--secret-file ${path} cannot be read: ${(error as Error).message}.`, error)
  }
}
