import { usageError } from '../../config/exit-error.ts'
import { systemClock } from '../../context/context.ts'
import { rateLimitMax } from '../../contract/schemas.ts'
import { createKey } from '../../features/keys/create-key.ts'
import { describeUnknownScope } from '../../features/keys/read-key-fields.ts'
import { scopes } from '../../features/scopes.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { readNumber } from '../arguments/read-integer.ts'
import { printJson, tell } from '../text/print.ts'
import { withStore } from './with-store.ts'

const dayMs = 86_400_000
const nameMax = 200
const inMemorySentence =
  'A store in memory has no keys to manage: its one key is printed when it starts.'

type CreateFlags = FlagsOf<'json', 'name' | 'valid-days' | 'rate-limit', 'scope'>

/** `keys create`: issues a key of the store, beside a running service or without one. Throws `ExitError`, `OpenError`. */
export async function createKeyCommand(flags: CreateFlags): Promise<number> {
  const name = readName(flags.name)
  const newKey = { scopes: ['default'], ...readFields(flags), name }
  return withStore(flags, { inMemorySentence }, async (context, { environment, database }) => {
    const { key, id, ...known } = await createKey(context, newKey)
    if (flags.json) return printJson({ id: Number(id), ...known, key, environment })
    process.stdout.write(`${key}\n`)
    const shown = process.stdout.isTTY ? 'It is shown this once; only' : 'Only'
    tell(`A key for ${name} of ${database.name} (${environment}). ${shown} its digest is stored.`)
  })
}

/** The members of a key that the options give. */
function readFields(flags: CreateFlags) {
  const { scope } = flags
  const days = readNumber('--valid-days', flags['valid-days'], [1n, 99_999n])
  const rateLimit = readNumber('--rate-limit', flags['rate-limit'], [1n, BigInt(rateLimitMax)])
  return {
    ...(scope && { scopes: scope.map(readScope) }),
    ...(days && { expiresAt: new Date(systemClock() + Number(days) * dayMs).toISOString() }),
    ...(rateLimit && { rateLimit: Number(rateLimit) }),
  }
}

function readName(name = ''): string {
  const isText = name.trim() !== '' && name.isWellFormed() && !/\p{Cc}/u.test(name)
  if (!isText || [...name].length > nameMax)
    throw usageError(`Say what the key is for: --name NAME, 1 to ${nameMax} characters.`)
  return name
}

function readScope(scope: string): string {
  const known = ['default', ...scopes]
  if (!known.includes(scope)) throw usageError(`--scope ${describeUnknownScope(scope, known)}`)
  return scope
}
