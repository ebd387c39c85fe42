import { usageError } from '../config/exit-error.ts'
import { systemClock } from '../context/context.ts'
import { rateLimitMax } from '../contract/schemas.ts'
import type { IssuedKey } from '../features/keys/contract/keys.ts'
import { createKey } from '../features/keys/create-key.ts'
import { getKey } from '../features/keys/get-key.ts'
import { listAllKeys } from '../features/keys/list-keys.ts'
import { keyRecord } from '../features/keys/queries.ts'
import { describeUnknownScope } from '../features/keys/read-key-fields.ts'
import { revokeKey } from '../features/keys/revoke-key.ts'
import { rotateKey } from '../features/keys/rotate-key.ts'
import { updateKey } from '../features/keys/update-key.ts'
import { scopes } from '../features/scopes.ts'
import type { FlagsOf } from './define-command.ts'
import { describeKey, formatKey, formatKeys } from './describe-keys.ts'
import { printJson, tell } from './print.ts'
import { idMax, readInteger, readNumber } from './read-integer.ts'
import { withStore } from './with-store.ts'

const dayMs = 86_400_000
const hourSeconds = 3_600
const nameMax = 200
const store = {
  inMemorySentence:
    'A store in memory has no keys to manage: its one key is printed when it starts.',
}

type KeyFlags = FlagsOf<'json'>
type CreateFlags = FlagsOf<'json', 'name' | 'valid-days' | 'rate-limit', 'scope'>
type UpdateFlags = CreateFlags & FlagsOf<'no-expiry' | 'no-rate-limit'>

/** `keys create`: issues a key, beside a running service or without one. Throws `ExitError`, `OpenError`. */
export async function createKeyCommand(flags: CreateFlags): Promise<number> {
  const name = readName(flags.name)
  const newKey = { scopes: ['default'], ...readFields(flags), name }
  return withStore(flags, store, async (context, { environment }) =>
    printIssued(flags, await createKey(context, newKey), {
      environment,
      sentence: `A key for ${name} (${environment}).`,
    }),
  )
}

/** `keys list`: a table for people, or everything that is known as JSON. Throws `ExitError`, `OpenError`. */
export async function listKeysCommand(flags: KeyFlags): Promise<number> {
  return withStore(flags, store, async (context) => {
    const keys = (await listAllKeys(context)).map(keyRecord)
    if (flags.json) return printJson(keys.map(describeKey))
    process.stdout.write(formatKeys(keys, context.clock()))
  })
}

/** `keys show`: everything that is known of a key. Throws `ExitError`, `OpenError`, `not_found`. */
export async function showKeyCommand(flags: KeyFlags, id: string | undefined): Promise<number> {
  const keyId = readId(id, flags)
  return withStore(flags, store, async (context) => {
    const key = describeKey(await getKey(context, keyId))
    if (flags.json) return printJson(key)
    process.stdout.write(formatKey(key))
  })
}

/** `keys update`: changes what is given. Throws `ExitError`, `OpenError`, `not_found`, `key_not_active`. */
export async function updateKeyCommand(
  flags: UpdateFlags,
  id: string | undefined,
): Promise<number> {
  const keyId = readId(id, flags)
  const fields = readFields(flags)
  const { 'no-expiry': isEndless, 'no-rate-limit': isUnlimited } = flags
  if (Object.keys(fields).length === 0 && !isEndless && !isUnlimited)
    throw usageError(
      'Say what to change: --name, --scope, --valid-days, --no-expiry, --rate-limit or --no-rate-limit.',
    )
  if (isEndless && fields.expiresAt !== undefined)
    throw usageError('--valid-days and --no-expiry exclude each other.')
  if (isUnlimited && fields.rateLimit !== undefined)
    throw usageError('--rate-limit and --no-rate-limit exclude each other.')
  const body = {
    ...fields,
    ...(isEndless && { expiresAt: null }),
    ...(isUnlimited && { rateLimit: null }),
  }
  return withStore(flags, store, async (context) => {
    const key = await updateKey(context, { id: keyId, body })
    if (flags.json) return printJson(describeKey(key))
    tell(
      `Key ${keyId} (${key.name}, ${key.hint}) was changed; running services apply it within a second.`,
    )
  })
}

/** `keys rotate`: issues a successor. Throws `ExitError`, `OpenError`, `not_found`, `key_not_active`, `rotation_in_progress`. */
export async function rotateKeyCommand(
  flags: FlagsOf<'json', 'overlap-hours'>,
  id: string | undefined,
): Promise<number> {
  const keyId = readId(id, flags)
  const { 'overlap-hours': hours = '24' } = flags
  const overlapSeconds = Number(readNumber('--overlap-hours', hours, [0n, 168n])) * hourSeconds
  return withStore(flags, store, async (context, { environment }) => {
    const issued = await rotateKey(context, { id: keyId, body: { overlapSeconds } })
    const { name, previousHint, previousEndsAt } = issued
    printIssued(flags, issued, {
      environment,
      sentence: `The successor of key ${keyId} (${name}, ${environment}); ${previousHint} is accepted until ${previousEndsAt}.`,
    })
  })
}

/** `keys revoke`: refuses a key from now on. Throws `ExitError`, `OpenError`, `not_found`. */
export async function revokeKeyCommand(flags: KeyFlags, id: string | undefined): Promise<number> {
  const keyId = readId(id, flags)
  return withStore(flags, store, async (context) => {
    const key = keyRecord(await revokeKey(context, keyId))
    if (flags.json) return printJson(describeKey(key))
    tell(
      `Key ${keyId} (${key.name}, ${key.hint}) was revoked at ${key.revokedAt}; running services refuse it within a second.`,
    )
  })
}

function printIssued(
  { json }: KeyFlags,
  { key, ...known }: IssuedKey,
  { environment, sentence }: { environment: string; sentence: string },
) {
  if (json) return printJson({ ...describeKey(known), key, environment })
  process.stdout.write(`${key}\n`)
  const isShown = process.stdout.isTTY
  tell(`${sentence} ${isShown ? 'It is shown this once; only' : 'Only'} its digest is stored.`)
}

/** The members of a key that the options give. */
function readFields(flags: CreateFlags) {
  const { name, scope } = flags
  const days = readNumber('--valid-days', flags['valid-days'], [1n, 99_999n])
  const rateLimit = readNumber('--rate-limit', flags['rate-limit'], [1n, BigInt(rateLimitMax)])
  return {
    ...(name !== undefined && { name: readName(name) }),
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

function readId(text = '', { command }: KeyFlags): bigint {
  const sentence = `Say which key: petstore ${command} ID, with an ID of petstore keys list.`
  return readInteger(text, [0n, idMax], sentence) as bigint
}
