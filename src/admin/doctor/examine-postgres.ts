import { lookAtDatabase } from '../../db/postgres/look.ts'
import { checkBackupOf } from './backup.ts'
import { checkClock } from './clock.ts'
import { checkConnections, checkHosts, checkLink } from './connections.ts'
import { describeFiles } from './describe-files.ts'
import { checkFiles } from './files.ts'
import type { Finding } from './finding.ts'
import { selectContents } from './queries.ts'
import { checkServer } from './server.ts'
import { checkStore, type StoreFacts } from './store.ts'
import type { NamedChecks, Subject } from './subject.ts'

type Primary = NonNullable<Awaited<ReturnType<typeof lookAtDatabase>>['primary']> & {
  store: StoreFacts
}

/** The groups of checks of a store in PostgreSQL, in the order in which each may rely on those before. */
export function groups({ config, storage, firstKeyFile, clock }: Subject): NamedChecks[] {
  const { database, environment } = config
  if (database.engine !== 'postgres') throw new Error('The store is not in PostgreSQL.')
  let seen: Primary | undefined
  const withPrimary = (check: (primary: Primary) => readonly Finding[]) => () =>
    seen === undefined ? [] : check(seen)
  return [
    ['files', async () => checkFiles(await describeFiles(undefined, firstKeyFile))],
    [
      'hosts',
      async () => {
        const read = selectContents(clock())
        const { hosts, primary } = await lookAtDatabase(database, clock, { storage, read })
        seen = primary && { ...primary, store: { ...primary.store, environment } }
        return [...checkHosts(hosts), ...(primary ? [checkLink(primary.name, primary.link)] : [])]
      },
    ],
    ['server', withPrimary(({ server, nowMs }) => checkServer({ ...server, todayMs: nowMs }))],
    ['connections', withPrimary(({ server }) => [checkConnections(server)])],
    ['store', withPrimary(({ store }) => checkStore(store))],
    [
      'clock',
      () =>
        checkClock({
          environment,
          nowMs: seen?.nowMs ?? clock(),
          newestMs: seen?.store.contents?.newestMs,
          server: seen && { nowMs: seen.server.nowMs, askedForMs: seen.askedForMs },
        }),
    ],
    ['backup', withPrimary(({ store, nowMs }) => checkBackupOf(storage, store, nowMs))],
  ]
}
