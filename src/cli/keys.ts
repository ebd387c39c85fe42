import type { Config } from '../config/config.ts'
import { usageError } from '../config/exit-error.ts'
import type { Context } from '../context/context.ts'
import { rateLimitMax } from '../contract/schemas.ts'
import { createKey } from '../features/keys/create-key.ts'
import { getKey } from '../features/keys/get-key.ts'
import { listAllKeys } from '../features/keys/list-keys.ts'
import { keyRecord } from '../features/keys/queries.ts'
import { describeUnknownScope } from '../features/keys/read-key-fields.ts'
import { revokeKey } from '../features/keys/revoke-key.ts'
import { rotateKey } from '../features/keys/rotate-key.ts'
import { updateKey } from '../features/keys/update-key.ts'
import { scopes } from '../features/scopes.ts'
import { describeKey, formatKey, formatKeys } from './describe-keys.ts'
import { printJson, tell } from './print.ts'
import { readInteger } from './read-integer.ts'
import { withStore } from './with-store.ts'

const dayMs = 86_400_000
const hourSeconds = 3_600
const overlapMaxHours = 168
const nameMax = 200
const inMemorySentence =
  'A store in memory has no keys to manage: its one key is printed when it starts.'

type KeyFlags = { json: boolean; environment?: string | undefined }
type CreateFlags = KeyFlags & {
  name?: string | undefined
  scope?: readonly string[] | undefined
  'valid-days'?: string | undefined
  'rate-limit'?: string | undefined
}
type UpdateFlags = CreateFlags & { 'no-expiry': boolean; 'no-rate-limit': boolean }
type RotateFlags = KeyFlags & { 'overlap-hours'?: string | undefined }

/** `keys create`: issues a key, beside a running service or without one. Throws `ExitError`, `OpenError`. */
export async function createKeyCommand(flags: CreateFlags): Promise<number> {
  const name = readName(flags.name)
  const chosen = flags.scope?.map(readScope) ?? ['default']
  const validMs = readDays(flags['valid-days'])
  const limit = readRateLimit(flags['rate-limit'])
  return withKeys('keys create', flags, async (context, { environment }) => {
    const expiresAt = validMs === undefined ? {} : { expiresAt: instantAfter(context, validMs) }
    const { key, ...known } = await createKey(context, {
      ...{ name, scopes: chosen },
      ...expiresAt,
      ...limit,
    })
    if (flags.json) return printJson({ ...describeKey(known), key, environment })
    printKey(key, `A key for ${name} (${environment}).`)
  })
}

/** `keys list`: a table for people, or everything that is known as JSON. Throws `ExitError`, `OpenError`. */
export async function listKeysCommand(flags: KeyFlags): Promise<number> {
  return withKeys('keys list', flags, async (context) => {
    const keys = (await listAllKeys(context)).map(keyRecord)
    if (flags.json) return printJson(keys.map(describeKey))
    process.stdout.write(formatKeys(keys, context.clock(), process.stdout))
  })
}

/** `keys show`: everything that is known of a key. Throws `ExitError`, `OpenError`, `not_found`. */
export async function showKeyCommand(flags: KeyFlags, id: string | undefined): Promise<number> {
  const keyId = readId(id, 'show')
  return withKeys('keys show', flags, async (context) => {
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
  const keyId = readId(id, 'update')
  const { name, scope, 'valid-days': days, 'no-expiry': isEndless } = flags
  const { 'rate-limit': rate, 'no-rate-limit': isUnlimited } = flags
  const isChanged = [name, scope, days, rate].some((given) => given !== undefined)
  if (!isChanged && !isEndless && !isUnlimited)
    throw usageError(
      'Say what to change: --name, --scope, --valid-days, --no-expiry, --rate-limit or --no-rate-limit.',
    )
  if (isEndless && days !== undefined)
    throw usageError('--valid-days and --no-expiry exclude each other.')
  if (isUnlimited && rate !== undefined)
    throw usageError('--rate-limit and --no-rate-limit exclude each other.')
  const validMs = readDays(days)
  const fields = {
    ...(name === undefined ? {} : { name: readName(name) }),
    ...(scope && { scopes: scope.map(readScope) }),
    ...(isEndless ? { expiresAt: null } : {}),
    ...(isUnlimited ? { rateLimit: null } : readRateLimit(rate)),
  }
  return withKeys('keys update', flags, async (context) => {
    const expiresAt = validMs === undefined ? {} : { expiresAt: instantAfter(context, validMs) }
    const key = await updateKey(context, { id: keyId, body: { ...fields, ...expiresAt } })
    if (flags.json) return printJson(describeKey(key))
    tell(
      `Key ${keyId} (${key.name}, ${key.hint}) was changed; running services apply it within a second.`,
    )
  })
}

/** `keys rotate`: issues a successor. Throws `ExitError`, `OpenError`, `not_found`, `key_not_active`, `rotation_in_progress`. */
export async function rotateKeyCommand(
  flags: RotateFlags,
  id: string | undefined,
): Promise<number> {
  const keyId = readId(id, 'rotate')
  const overlapSeconds = readOverlap(flags['overlap-hours'])
  return withKeys('keys rotate', flags, async (context, { environment }) => {
    const { key, ...known } = await rotateKey(context, { id: keyId, body: { overlapSeconds } })
    if (flags.json) return printJson({ ...describeKey(known), key, environment })
    const { name, previousHint, previousEndsAt } = known
    printKey(
      key,
      `The successor of key ${keyId} (${name}, ${environment}); ${previousHint} is accepted until ${previousEndsAt}.`,
    )
  })
}

/** `keys revoke`: refuses a key from now on. Throws `ExitError`, `OpenError`, `not_found`. */
export async function revokeKeyCommand(flags: KeyFlags, id: string | undefined): Promise<number> {
  const keyId = readId(id, 'revoke')
  return withKeys('keys revoke', flags, async (context) => {
    const key = keyRecord(await revokeKey(context, keyId))
    if (flags.json) return printJson(describeKey(key))
    tell(
      `Key ${keyId} (${key.name}, ${key.hint}) was revoked at ${key.revokedAt}; running services refuse it within a second.`,
    )
  })
}

function withKeys(
  command: string,
  { environment }: KeyFlags,
  work: (context: Context, config: Config) => Promise<void>,
): Promise<number> {
  return withStore({ command, environment, inMemorySentence, purpose: 'use' }, work)
}

function printKey(key: string, sentence: string): void {
  process.stdout.write(`${key}\n`)
  const isShown = process.stdout.isTTY
  tell(`${sentence} ${isShown ? 'It is shown this once; only' : 'Only'} its digest is stored.`)
}

function instantAfter({ clock }: Context, validMs: number): string {
  return new Date(clock() + validMs).toISOString()
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

function readDays(text: string | undefined): number | undefined {
  const days = readInteger(text, [1n, 99_999n], '--valid-days must be a number from 1 to 99999.')
  return days === undefined ? undefined : Number(days) * dayMs
}

function readRateLimit(text: string | undefined): { rateLimit?: number } {
  const sentence = `--rate-limit must be a number from 1 to ${rateLimitMax}.`
  const rateLimit = readInteger(text, [1n, BigInt(rateLimitMax)], sentence)
  return rateLimit === undefined ? {} : { rateLimit: Number(rateLimit) }
}

function readOverlap(text = '24'): number {
  const sentence = `--overlap-hours must be a number from 0 to ${overlapMaxHours}.`
  return Number(readInteger(text, [0n, BigInt(overlapMaxHours)], sentence)) * hourSeconds
}

function readId(text = '', command: string): bigint {
  const sentence = `Say which key: petstore keys ${command} ID, with an ID of petstore keys list.`
  return readInteger(text, [0n, 2n ** 63n - 1n], sentence) as bigint
}
