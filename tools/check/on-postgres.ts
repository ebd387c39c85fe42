import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { shareProcesses, sharingTests } from './share-processes.ts'
import { nodeAloud } from './step.ts'

const startsStore = /\bstart(?:App|Listening)\(/

/** Tests of responses that need no database do not depend on the engine. */
const beforeDatabase =
  /^(?:test\/http\/(?:connections|first-contact|garbage|headers|json|keys-in-logs|linear-time|protocol|stop)|src\/http\/(?:cors|methods|request\/unknown-names|response\/send-error))\.test\.ts$/

/**
 * Tests of what comes before or after the database: parsing, checks of keys, shapes, the document. They use SQL that others
 * test, so `npm test` runs them on SQLite alone.
 */
const aroundDatabase =
  /^(?:test\/http|test\/interface\/(?!endpoints|store-model)|src\/openapi|src\/http\/(?!failures|idempotency\.|request\/paging\.))/

/** The tests of responses: those that start a store through `startApp()`, on either engine. */
function testsOfResponses({ isFull }: { isFull: boolean }): string[] {
  const excluded = isFull ? beforeDatabase : aroundDatabase
  return globSync(sharingTests)
    .filter((path) => !excluded.test(path.replaceAll(sep, '/')))
    .filter((path) => startsStore.test(readFileSync(path, 'utf8')))
    .sort()
}

/**
 * Runs these tests on PostgreSQL, on one server: the one that `TEST_POSTGRES` names, with a role
 * that may create databases, else one from npm. `options` are those of node's test runner; files go to the workspace.
 */
export async function testOnPostgres(
  workspace: string,
  options: string[],
  extent: { isFull: boolean },
): Promise<string> {
  // Imported on demand: other steps need no server.
  const { anyPostgres } = await import('../../test/processes/postgres.ts')
  const server = await anyPostgres()
  try {
    const environment = { TEST_ENGINE: 'postgres', TEST_POSTGRES: server.addressOf('postgres') }
    const shared = shareProcesses(join(workspace, 'postgres'), testsOfResponses(extent))
    return await nodeAloud(['--test', ...options, ...shared], environment)()
  } finally {
    await server.stop()
  }
}
