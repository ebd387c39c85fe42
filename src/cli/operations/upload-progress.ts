import type { ImportProgress } from '../../../client/src/generated/records.ts'
import type { Transport } from '../../../client/src/transport.ts'
import type { OnProgress } from '../../admin/progress.ts'
import { sleep as pause } from '../../timers.ts'
import { numberOf } from '../print.ts'
import { showLine, withProgress } from '../progress.ts'
import type { OnSent } from './send-request.ts'
import { table } from './table.ts'

const progressEveryMs = 500

/** Shows bars on a terminal for what is sent and what is stored. A signal says how far it came, and how to go on. */
export async function withUploadProgress<T>(
  { transport, file, key }: { transport: Transport; file: unknown; key: string },
  send: (onSent: OnSent) => Promise<T>,
): Promise<T> {
  const total = file instanceof Blob ? file.size : 0
  const ended = new AbortController()
  let stored = 'Stopped.'
  return withProgress(
    (onProgress) => {
      const onStored: OnProgress = (progress) => {
        stored = `Stopped: ${numberOf(progress.done)} of ${numberOf(progress.total)} rows are stored.`
        onProgress(progress)
      }
      const onSent: OnSent = (done, isWhole) => {
        if (!isWhole) return total > 0 ? onProgress({ unit: 'bytes', done, total }) : undefined
        showLine('The file is sent; the service checks it.')
        followImport(transport, key, { onStored, signal: ended.signal })
      }
      return send(onSent).finally(() => ended.abort())
    },
    () => `${stored} To go on, repeat the command with --idempotency-key ${key}.`,
  )
}

/** Tells how many rows of an import are stored, until the signal. */
async function followImport(
  transport: Transport,
  idempotencyKey: string,
  { onStored, signal }: { onStored: OnProgress; signal: AbortSignal },
): Promise<void> {
  const { operation } = table.pets?.['get-import'] ?? {}
  if (operation === undefined) throw new Error('No operation returns the progress of an import.')
  const options = { maxRetries: 0, signal }
  while (!signal.aborted) {
    const found = await transport
      .call<ImportProgress>(operation, { query: { idempotencyKey } }, options)
      .catch(() => undefined)
    const { rows: total = 0, created = 0, updated = 0, refused = 0 } = found ?? {}
    if (total > 0 && !signal.aborted)
      onStored({ unit: 'rows', done: created + updated + refused, total })
    await pause(progressEveryMs, undefined, { signal }).catch(() => undefined)
  }
}
