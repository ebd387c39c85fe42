import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context/context.ts'
import { parseInstant } from '../contract/instant.ts'
import { ServiceError } from '../contract/service-error.ts'
import { listEvents } from '../features/events/list-events.ts'
import { digestOf } from '../features/keys/key-format.ts'
import type { Keys } from '../http/authenticate.ts'
import { type Implementation, implement } from '../http/implement.ts'
import type { ClockChange } from './contract.ts'
import * as controls from './operations.ts'
import type { TestBench } from './test-bench.ts'

const eventsMax = 1_000

/** The digest of the key that the start printed, once it is known. */
export type ControlKey = { digest: Buffer | undefined }

/** Pairs the operations of the test bench with what they control. */
export function implementControls(bench: TestBench): Implementation[] {
  const { clock, faults, journal, snapshots } = bench
  const readClock = async () => ({
    now: new Date(clock.now()).toISOString(),
    frozen: clock.isFrozen(),
  })
  return [
    implement(controls.resetStoreOperation, (_, request) => bench.reset(request)),
    implement(controls.listSnapshotsOperation, async () => ({ names: snapshots.names() })),
    implement(controls.saveSnapshotOperation, (_, name) => snapshots.save(name)),
    implement(controls.deleteSnapshotOperation, (_, name) => snapshots.drop(name)),
    implement(controls.getClockOperation, readClock),
    implement(controls.changeClockOperation, async (_, change) => {
      await bench.changeClock(readClockChange(change))
      return readClock()
    }),
    implement(controls.addFaultOperation, async (_, fault) => faults.add(fault)),
    implement(controls.listFaultsOperation, async () => ({ faults: faults.list() })),
    implement(controls.clearFaultsOperation, async () => faults.clear()),
    implement(controls.removeFaultOperation, async (_, id) => {
      if (faults.remove(Number(id))) return
      throw new ServiceError('not_found', `There is no fault with the id ${id}.`)
    }),
    implement(controls.issueTestKeyOperation, async (_, request) => ({
      key: await bench.issueKey(request),
    })),
    implement(controls.misdeliverOperation, async (_, { id, body }) => ({
      messages: await bench.misdeliver(id, body),
    })),
    implement(controls.listRequestsOperation, async (_, { deprecated, ...filter }) => ({
      requests: journal.list({
        ...filter,
        ...(deprecated === undefined ? {} : { isDeprecated: deprecated === 'true' }),
      }),
      dropped: journal.dropped(),
    })),
    implement(controls.listStoreEventsOperation, listAllEvents),
    implement(controls.clearJournalOperation, async () => journal.clear()),
  ]
}

/** Events of every type: the key of the test bench has no scope of theirs. */
async function listAllEvents(
  context: Context,
  { after }: { after?: bigint },
): Promise<{ events: unknown[] }> {
  const page = { limit: eventsMax, sort: 'id', after } as const
  const all = { ...context, actor: undefined }
  const { items } = await listEvents(all, { filter: {}, page, wantsTotal: false })
  // Sent as it is stored.
  return `{"events":[${items}]}` as unknown as { events: unknown[] }
}

/** The only key of the test bench. */
export function controlKeys(key: ControlKey): Keys {
  const scopes = new Set([controls.resetStoreOperation.scope])
  const actor = { keyId: 0n, keyName: 'test bench', digest: new Uint8Array(), scopes }
  return {
    authenticate(sent) {
      if (key.digest !== undefined && timingSafeEqual(digestOf(sent), key.digest)) return actor
      throw new ServiceError(
        'invalid_api_key',
        'The test bench takes only the key that the start of this store printed.',
      )
    },
  }
}

function readClockChange({ now, ...change }: ClockChange) {
  const nowMs = now === undefined ? undefined : parseInstant(now)
  if (now !== undefined && nowMs === undefined)
    throw new ServiceError('invalid_body', 'now must be an instant such as 2030-12-05T00:00:00Z.', {
      problems: [{ pointer: '/now', detail: 'must be an instant such as 2030-12-05T00:00:00Z' }],
    })
  return { ...change, nowMs }
}
