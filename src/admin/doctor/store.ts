import type { Environment } from '../../config/settings.ts'
import { isFatal } from '../../db/enforce-schema.ts'
import { describeDifferences } from '../../db/schema-difference.ts'
import type { StoreFacts as Facts } from '../../db/store-facts.ts'
import { error, type Finding, ok, warning } from './finding.ts'
import { describeProblem } from './problem.ts'
import { listed, size } from './quantities.ts'
import type { StoreContents } from './queries.ts'

export type StoreFacts = Facts<StoreContents> & { environment: Environment }

const logMaxBytes = 1e9

/** Whether the store can be served as it is. */
export function checkStore(facts: StoreFacts): Finding[] {
  if (facts.state === 'missing') return [checkMissing(facts)]
  return [
    ...checkReadable(facts),
    ...checkSchema(facts),
    ...(facts.contents ? [...checkOwner(facts), checkKeys(facts.contents)] : []),
    checkService(facts),
    ...checkLog(facts),
  ]
}

function checkMissing({ name, others, problem }: StoreFacts): Finding {
  if (problem !== undefined) return error('store', describeProblem(problem))
  const found = others.length > 0 ? ` There are other stores: ${listed(others)}.` : ''
  return warning(
    'store',
    `There is no store at ${name}; a start creates a new, empty one.${found} Check PETSTORE_DATABASE and the current folder, or restore a backup.`,
  )
}

function checkReadable({ name, problem, pending }: StoreFacts): Finding[] {
  if (problem !== undefined) return [error('store', describeProblem(problem))]
  if (pending.length === 0) return [ok('store', `${name} is a store of this version.`)]
  return [
    warning(
      'store',
      `${name} is a store of an older version: the next start upgrades it (${listed(pending)}). Take a backup first.`,
    ),
  ]
}

function checkSchema({ name, engine, schema = [] }: StoreFacts): Finding[] {
  if (schema.length === 0) return []
  const isServed = !schema.some((difference) => isFatal(difference, engine))
  const sentence = `${name} has another schema than its migrations make: ${describeDifferences(schema)}.`
  return isServed
    ? [warning('schema', `${sentence} A start warns of it. Undo the changes that are not wanted.`)]
    : [error('schema', `${sentence} A start refuses it. Undo these changes, or restore a backup.`)]
}

function checkOwner({ name, environment, contents }: StoreFacts): Finding[] {
  const owner = contents?.owner
  if (owner === undefined || owner === environment) return []
  return [
    error(
      'environment',
      `${name} holds the data of ${owner}, and this is ${environment}, so a start refuses it. Correct PETSTORE_DATABASE or PETSTORE_ENVIRONMENT.`,
    ),
  ]
}

function checkKeys({ keys: { valid, issued } }: StoreContents): Finding {
  if (valid > 0) return ok('keys', `Of ${issued} keys ${valid} are valid.`)
  if (issued === 0)
    return ok('keys', 'The store has no keys; the first start of the service issues one.')
  return warning(
    'keys',
    'No key is valid: nobody can use the service. Issue one: petstore keys create --name NAME.',
  )
}

function checkService({ servedBy }: StoreFacts): Finding {
  return servedBy === undefined
    ? ok('service', 'No service runs on it.')
    : ok('service', `A service runs on it: ${servedBy}.`)
}

function checkLog({ state, logBytes, servedBy }: StoreFacts): Finding[] {
  if (logBytes === undefined) return []
  if (logBytes > logMaxBytes) {
    return [
      warning(
        'log',
        `The log of the database has ${size(logBytes)}: a long read keeps it from being emptied. Look for a petstore verify, a backup or another program that reads it.`,
      ),
    ]
  }
  if (servedBy !== undefined || logBytes === 0) return []
  return [
    warning(
      'log',
      `The last process did not stop cleanly, and a log of ${size(logBytes)} is left. Keep it beside the database${state === 'readable' ? ': the next start recovers it' : ''}.`,
    ),
  ]
}
