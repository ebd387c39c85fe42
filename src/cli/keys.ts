import type { Config } from '../config/config.ts'
import { usageError } from '../config/exit-error.ts'
import type { Context } from '../context/context.ts'
import type { Scope } from '../contract/operation.ts'
import { createKey } from '../features/keys/create-key.ts'
import { digestOf } from '../features/keys/key-format.ts'
import { listKeys } from '../features/keys/list-keys.ts'
import { revokeKey } from '../features/keys/revoke-key.ts'
import { scopes } from '../features/scopes.ts'
import { nearestName } from '../nearest-name.ts'
import { describeKey, formatKeys } from './describe-keys.ts'
import { printJson, tell } from './print.ts'
import { withStore } from './with-store.ts'

const dayMs = 86_400_000
const inMemorySentence =
  'A store in memory has no keys to manage: its one key is printed when it starts.'

type KeyFlags = { json: boolean; environment?: string | undefined }
type CreateFlags = KeyFlags & {
  name?: string | undefined
  scope?: readonly string[] | undefined
  'valid-days'?: string | undefined
}

/** `keys create`: issues a key, beside a running service or without one. Throws `ExitError`, `OpenError`. */
export async function createKeyCommand(flags: CreateFlags): Promise<number> {
  const name = readName(flags.name)
  const chosen = flags.scope?.map(readScope) ?? scopes
  const validMs = readDays(flags['valid-days'])
  return withKeys(flags, async (context, { environment }) => {
    const key = await createKey(context, { name, environment, scopes: chosen, validMs })
    if (flags.json) return printJson({ ...(await recordOf(context, key)), key, environment })
    process.stdout.write(`${key}\n`)
    const isShown = process.stdout.isTTY
    tell(
      `A key for ${name} (${environment}). ${isShown ? 'It is shown this once; only' : 'Only'} its digest is stored.`,
    )
  })
}

/** `keys list`: a table for people, or everything that is known as JSON. Throws `ExitError`, `OpenError`. */
export async function listKeysCommand(flags: KeyFlags): Promise<number> {
  return withKeys(flags, async (context) => {
    const keys = await listKeys(context)
    if (flags.json) return printJson(keys.map(describeKey))
    process.stdout.write(formatKeys(keys, context.clock(), process.stdout))
  })
}

/** `keys revoke`: refuses a key from now on. Throws `ExitError`, `OpenError`, `not_found`. */
export async function revokeKeyCommand(flags: KeyFlags, id: string | undefined): Promise<number> {
  const keyId = readId(id)
  return withKeys(flags, async (context) => {
    const since = await revokeKey(context, keyId)
    const key = (await listKeys(context)).find((one) => one.id === keyId)
    if (key === undefined) throw new Error(`Key ${keyId} was revoked, and is not there.`)
    if (flags.json) return printJson(describeKey(key))
    tell(
      `Key ${keyId} (${key.name}, ${key.hint}) was revoked at ${since.toISOString()}; running services refuse it within a second.`,
    )
  })
}

function withKeys(
  { environment }: KeyFlags,
  work: (context: Context, config: Config) => Promise<void>,
): Promise<number> {
  return withStore({ environment, inMemorySentence, purpose: 'use' }, work)
}

async function recordOf(context: Context, key: string) {
  const digest = digestOf(key)
  const stored = (await listKeys(context)).find((one) => digest.equals(one.digest))
  if (stored === undefined) throw new Error('The new key is not in the store.')
  return describeKey(stored)
}

function readName(name: string | undefined): string {
  if (!name || name.length > 200 || /\p{Cc}/u.test(name)) {
    throw usageError('Say what the key is for: --name NAME, 1 to 200 characters.')
  }
  return name
}

function readScope(text: string): Scope {
  const scope = scopes.find((candidate) => candidate === text)
  if (!scope) {
    const nearest = nearestName(text, scopes)
    const advice = nearest === undefined ? '.' : `; did you mean ${nearest}?`
    const allowed = scopes.join(', ')
    throw usageError(`--scope must be one of ${allowed}; received ${text}${advice}`)
  }
  return scope
}

function readDays(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw usageError('--valid-days must be a number from 1 to 99999.')
  return Number(text) * dayMs
}

function readId(text: string | undefined): bigint {
  const id = text && /^\d{1,19}$/.test(text) ? BigInt(text) : undefined
  if (id === undefined || id > 2n ** 63n - 1n)
    throw usageError('Say which key: petstore keys revoke ID, with an ID of petstore keys list.')
  return id
}
