import { timingSafeEqual } from 'node:crypto'
import type { ServiceContext } from '../context/context.ts'
import { ServiceError } from '../contract/service-error.ts'
import { listEvents } from '../features/events/list-events.ts'
import { digestOf } from '../features/keys/key-format.ts'
import type { Keys } from '../http/authenticate.ts'
import { type Implementation, implement } from '../http/implement.ts'
import type { Misdeliver } from './misdeliver.ts'
import * as controls from './operations.ts'
import type { TestBench } from './test-bench.ts'

const eventsMax = 1_000

/** Pairs the operations of the test bench with what they control. */
export function implementControls(bench: TestBench, misdeliver: Misdeliver): Implementation[] {
  const { clock, faults, journal } = bench
  const readClock = async () => ({
    now: new Date(clock.now()).toISOString(),
    frozen: clock.isFrozen(),
  })
  return [
    implement(controls.resetStoreOperation, (_, request) => bench.reset(request)),
    implement(controls.listSnapshotsOperation, async () => ({ names: bench.listSnapshots() })),
    implement(controls.saveSnapshotOperation, (_, name) => bench.saveSnapshot(name)),
    implement(controls.deleteSnapshotOperation, (_, name) => bench.deleteSnapshot(name)),
    implement(controls.getClockOperation, readClock),
    implement(controls.changeClockOperation, async (_, change) => {
      await bench.changeClock(change)
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
      key: await bench.issueTestKey(request),
    })),
    implement(controls.keepWebhookOperation, (_, request) => bench.keepWebhook(request)),
    implement(controls.misdeliverOperation, async (_, { id, body }) => ({
      messages: await misdeliver(id, body),
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
  context: ServiceContext,
  { after }: { after?: bigint },
): Promise<{ events: unknown[] }> {
  const page = { limit: eventsMax, sort: 'id', after } as const
  const all = { ...context, actor: undefined }
  const { items } = await listEvents(all, { filter: {}, page, wantsTotal: false })
  // Sent as it is stored.
  return `{"events":[${items}]}` as unknown as { events: unknown[] }
}

/** The only key of the test bench: the one that the start printed, once that is known. */
export function createControlKey(): Keys & { openWith(key: string): void } {
  const scopes = new Set([controls.resetStoreOperation.scope])
  const keyId = 0n
  const author = { type: 'key', name: 'test bench', keyId } as const
  const actor = { keyId, author, digest: new Uint8Array(), scopes }
  let digest: Buffer | undefined
  return {
    openWith(key) {
      digest = digestOf(key)
    },
    authenticate(sent) {
      if (digest !== undefined && timingSafeEqual(digestOf(sent), digest)) return actor
      throw new ServiceError(
        'invalid_api_key',
        'The test bench takes only the key that the start of this store printed.',
      )
    },
  }
}
