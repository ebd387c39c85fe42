import { globSync, readFileSync } from 'node:fs'
import { nodeAloud } from './step.ts'

const startsStore = /\bstart(?:App|Listening)\(/

/** What is refused, or answered, before a database is asked is so whichever it is. */
const beforeDatabase =
  /^(?:test\/input\/(?:connections|garbage|headers|json|protocol|stop)|src\/http\/(?:cors|methods|send-error))\.test\.ts$/

/** The tests that are about answers: those that start a store through the front door, whichever engine is under it. */
function testsOfAnswers(): string[] {
  return globSync('{src,test/interface,test/input}/**/*.test.ts')
    .filter((path) => !beforeDatabase.test(path))
    .filter((path) => startsStore.test(readFileSync(path, 'utf8')))
    .sort()
}

/**
 * Runs these tests on PostgreSQL, on one server for them all: that which `TEST_POSTGRES` names, by a role that may create
 * databases, else one from npm. `options` are those of node's test runner.
 */
export async function testOnPostgres(options: string[]): Promise<string> {
  // Loaded here alone: whoever asks for other steps needs no server.
  const { anyPostgres } = await import('../../test/support/postgres.ts')
  const server = await anyPostgres()
  try {
    const environment = { TEST_ENGINE: 'postgres', TEST_POSTGRES: server.addressOf('postgres') }
    return await nodeAloud(['--test', ...options, ...testsOfAnswers()], environment)()
  } finally {
    await server.stop()
  }
}
