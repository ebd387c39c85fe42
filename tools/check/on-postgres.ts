import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { PostgresServer } from '../../test/processes/postgres.ts'
import { shareProcesses, sharingTests } from './share-processes.ts'
import { nodeAloud } from './step.ts'

/** Fifty starts at the same time are tested beside the other tests. */
const connectionsMax = 400

const startsStore = /\b(?:start(?:App|Db|Listening|Sending)|soldStore)\(/

/** Tests of responses that need no database do not depend on the engine. */
const beforeDatabase =
  /^(?:test\/http\/(?:connections|first-contact|garbage|headers|json|keys-in-logs|linear-time\.full|protocol|stop)|src\/http\/(?:cors|methods|request\/unknown-names|response\/send-error))\.test\.ts$/

/**
 * Tests of what comes before or after the database: parsing, checks of keys, shapes, the document. They use SQL that others
 * test, so `npm test` runs them on SQLite alone.
 */
const aroundDatabase =
  /^(?:test\/http|test\/interface\/(?!store-model)|test\/verify\/|src\/(?:openapi|pages|features\/health)|src\/http\/)/

/**
 * Further cases of what other tests show on PostgreSQL: in `npm test` they run on SQLite alone. Creates, lists and pages are compared
 * between the engines by `test/postgres/differential.test.ts`, moves and stocks by the tests of batches and of the model.
 */
const furtherCases =
  /^(?:src\/features\/(?:events\/(?:new-feed|follow-events|pruning)|pets\/(?:search-(?:pets|strategies)|transitions|if-match|get-pet|update-pet|list-pets|create-pet|export-pets|imports\/get-import)|keys\/(?!create-key)|categories\/(?!create)|deprecations|webhooks\/(?!create|deliver\/)|sales\/(?:get-|list-|update-inventory|move-order))|src\/(?:admin\/(?:seed|verify)|app\/(?:jobs|new-store)|db\/checks)|test\/client\/)/

/** Tests of commands, of faults, of PostgreSQL and of the test bench say themselves which engine they use. */
const ofOneEngine = /^test\/(?:cli|faults|postgres|test-bench)\//

const ofFullExtent = /\.full\.test\.ts$/

/** The tests of responses: those that start a store through one of these functions, on either engine. */
function testsOfResponses({ isFull }: { isFull: boolean }): string[] {
  const excluded = isFull ? [beforeDatabase] : [aroundDatabase, furtherCases, ofFullExtent]
  return globSync(sharingTests)
    .filter(
      (path) => ![ofOneEngine, ...excluded].some((one) => one.test(path.replaceAll(sep, '/'))),
    )
    .filter((path) => startsStore.test(readFileSync(path, 'utf8')))
    .sort()
}

/** The server of both runs of tests: the one that `TEST_POSTGRES` names, with a role that may create databases, else one from npm. */
export async function startSharedPostgres(): Promise<PostgresServer> {
  // Imported on demand: other steps need no server.
  const { startPostgres, usePostgres } = await import('../../test/processes/postgres.ts')
  const given = process.env.TEST_POSTGRES
  return given === undefined
    ? startPostgres([`max_connections=${connectionsMax}`])
    : usePostgres(given)
}

/** Runs these tests on PostgreSQL. `options` are those of node's test runner; files go to the workspace. */
export function testOnPostgres(
  workspace: string,
  options: string[],
  extent: { isFull: boolean },
): Promise<string> {
  const shared = shareProcesses(
    join(workspace, 'postgres'),
    testsOfResponses(extent),
    extent.isFull ? 2 : 1,
  )
  return nodeAloud(['--test', ...options, ...shared], { TEST_ENGINE: 'postgres' })
}
