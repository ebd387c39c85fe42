import { firstKeyFileOf } from '../../app/first-key.ts'
import { storage } from '../../app/storage.ts'
import type { Config } from '../../config/config.ts'
import { OpenError } from '../../db/errors.ts'
import { compareSchema } from '../../db/postgres/compare-schema.ts'
import { type HostFacts, inspectPostgres, type PostgresPrimary } from '../../db/postgres/inspect.ts'
import { describeOtherStores, look, requireSchemaIn } from '../../db/postgres/migrate.ts'
import { readServerFacts, type ServerFacts } from '../../db/postgres/server-facts.ts'
import { requireUnmarked, selectMark, transferMarkTable } from '../../db/transfer-mark.ts'
import { checkBackupOf } from './backup.ts'
import { checkClock } from './clock.ts'
import { checkConnections, checkHosts, checkLink } from './connections.ts'
import { describeFiles } from './describe-files.ts'
import { checkFiles } from './files.ts'
import type { Finding } from './finding.ts'
import { describeProblem } from './problem.ts'
import { selectContents } from './queries.ts'
import { checkServer } from './server.ts'
import { checkStore, type StoreFacts } from './store.ts'
import type { NamedChecks, Subject } from './subject.ts'

type Seen = {
  hosts: readonly HostFacts[]
  primary: PrimaryFacts | undefined
}

type PrimaryFacts = {
  name: string
  link: PostgresPrimary['link']
  server: ServerFacts
  askedForMs: number
  nowMs: number
  store: StoreFacts
}

/** The groups of checks of a store in PostgreSQL, in the order in which each may rely on those before. */
export function groups({ config, clock }: Subject): NamedChecks[] {
  const { database, environment } = config
  if (database.engine !== 'postgres') throw new Error('The store is not in PostgreSQL.')
  let seen: Seen | undefined
  const primaryOf = () => seen?.primary
  return [
    ['files', async () => checkFiles(await describeFiles(undefined, firstKeyFileOf(config)))],
    [
      'hosts',
      async () => {
        seen = await inspectPostgres(database.text, (primary) => lookAt(primary, config, clock))
        const { hosts, primary } = seen
        return [...checkHosts(hosts), ...(primary ? [checkLink(primary.name, primary.link)] : [])]
      },
    ],
    [
      'server',
      () =>
        withPrimary(primaryOf(), ({ server, nowMs }) => checkServer({ ...server, todayMs: nowMs })),
    ],
    ['connections', () => withPrimary(primaryOf(), ({ server }) => [checkConnections(server)])],
    ['store', () => withPrimary(primaryOf(), ({ store }) => checkStore(store))],
    [
      'clock',
      () => {
        const primary = primaryOf()
        return checkClock({
          environment,
          nowMs: primary?.nowMs ?? clock(),
          newestMs: primary?.store.contents?.newestMs,
          server: primary && { nowMs: primary.server.nowMs, askedForMs: primary.askedForMs },
        })
      },
    ],
    ['backup', () => withPrimary(primaryOf(), ({ store, nowMs }) => checkBackupOf(store, nowMs))],
  ]
}

function withPrimary(
  primary: PrimaryFacts | undefined,
  check: (primary: PrimaryFacts) => readonly Finding[],
): readonly Finding[] {
  return primary === undefined ? [] : check(primary)
}

async function lookAt(
  primary: PostgresPrimary,
  { database: { name }, environment }: Config,
  clock: Subject['clock'],
): Promise<PrimaryFacts> {
  const startMs = clock()
  const server = await readServerFacts(primary.client)
  const nowMs = clock()
  const store = await lookAtStore(primary, { name, environment, nowMs, server })
  return { ...primary, server, askedForMs: nowMs - startMs, nowMs, store }
}

async function lookAtStore(
  { client, sql }: PostgresPrimary,
  {
    name,
    environment,
    nowMs,
    server,
  }: Pick<StoreFacts, 'name' | 'environment'> & {
    nowMs: number
    server: ServerFacts
  },
): Promise<StoreFacts> {
  const { own } = server.connections
  const servedBy = own === 0 ? undefined : `${own} sessions are open`
  const facts = {
    engine: 'postgres' as const,
    environment,
    name,
    servedBy,
    others: [],
    pending: [],
  }
  try {
    const { tables, pending } = await look(client, name)
    if (!tables.includes('migrations')) {
      const others = await describeOtherStores(client)
      return { ...facts, state: 'missing', others, problem: whyNotCreated(name, server) }
    }
    if (tables.includes(transferMarkTable)) requireUnmarked(await selectMark(sql), name)
    const isCurrent = pending.length === 0
    if (isCurrent) await requireSchemaIn(client, name, storage.tables)
    const contents = await selectContents(sql, new Set(tables), nowMs)
    return {
      ...facts,
      state: 'readable',
      pending: pending.map((migration) => migration.name),
      contents,
      schema: isCurrent ? await compareSchema(sql) : [],
    }
  } catch (error) {
    const problem = error instanceof OpenError ? describeProblem(error) : whyUnreadable(name, error)
    return { ...facts, state: 'unreadable', problem }
  }
}

/** A role with too few rights must not keep the findings about the server from being told. */
function whyUnreadable(name: string, error: unknown): string {
  const { message } = error as Error
  return `${name} cannot be read: ${message}. Grant the role the rights that docs/guides/postgresql.md lists.`
}

function whyNotCreated(name: string, { mayMigrate }: ServerFacts): string | undefined {
  if (mayMigrate) return undefined
  return `There is no store at ${name}, and this role may not create one. Run any command once as the owner of the database, or grant create on the schema.`
}
