import { OpenError } from '../errors.ts'
import type { Looking, StoreFacts } from '../store-facts.ts'
import { requireUnmarked, selectMark, transferMarkTable } from '../transfer-mark.ts'
import { describeLongDelay, findDelay } from './commit-delay.ts'
import { compareSchema } from './compare-schema.ts'
import { type HostFacts, inspectPostgres, type Link, type PostgresPrimary } from './inspect.ts'
import { look, requireSchemaIn } from './migrate.ts'
import { readServerFacts, type ServerFacts } from './server-facts.ts'

/** What the hosts of an address are, and the primary among them with its store. */
type Found<Contents> = {
  hosts: readonly HostFacts[]
  primary:
    | {
        name: string
        link: Link
        server: ServerFacts
        store: StoreFacts<Contents>
      }
    | undefined
}

/** Looks at a database and its server. Changes nothing. Throws what `parseAddress` throws. */
export function lookAtDatabase<Contents>(
  { text, name }: { text: string; name: string },
  looking: Looking<Contents>,
): Promise<Found<Contents>> {
  return inspectPostgres(text, async (primary) => {
    const server = await readServerFacts(primary)
    const store = await lookAtStore(name, primary, server, looking)
    const { name: host, link, sql } = primary
    const { log } = looking.storage
    const isServed = store.state === 'readable' && store.pending.length === 0
    const delay =
      log && isServed ? await describeLongDelay(() => findDelay(sql, log.table)) : undefined
    return { name: host, link, server: { ...server, delay }, store }
  })
}

async function lookAtStore<Contents>(
  name: string,
  { client, sql }: PostgresPrimary,
  server: ServerFacts,
  { storage, read }: Looking<Contents>,
): Promise<StoreFacts<Contents>> {
  const { own } = server.connections
  const servedBy = own === 0 ? undefined : `${own} sessions are open`
  const facts = { engine: 'postgres' as const, name, servedBy, pending: [] }
  try {
    const { tables, pending } = await look(client, name)
    if (!tables.includes('migrations')) {
      return { ...facts, state: 'missing', problem: whyNotCreated(name, server) }
    }
    if (tables.includes(transferMarkTable)) requireUnmarked(await selectMark(sql), name)
    const isCurrent = pending.length === 0
    if (isCurrent) await requireSchemaIn(client, name, storage.tables)
    return {
      ...facts,
      state: 'readable',
      pending: pending.map((migration) => migration.name),
      contents: await read(sql, new Set(tables)),
      schema: isCurrent ? await compareSchema(sql) : [],
    }
  } catch (error) {
    const problem = error instanceof OpenError ? error : whyUnreadable(name, error)
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
  return `There is no store at ${name}, and this role may not create one. Start the service once as the owner of the database, or grant create on the schema.`
}
