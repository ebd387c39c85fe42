import { parseArgs } from 'node:util'
import { ExitError } from '../config/exit-error.ts'
import type { Context } from '../context/context.ts'
import { type Scope, scopes } from '../contract/scopes.ts'
import { createKey } from '../features/keys/create-key.ts'
import { listKeys } from '../features/keys/list-keys.ts'
import { revokeKey } from '../features/keys/revoke-key.ts'
import { withStore } from './with-store.ts'

const dayMs = 86_400_000
const inMemorySentence =
  'A store in memory has no keys to manage: its one key is printed when it starts.'

/** `keys create`, `keys list` and `keys revoke`, beside a running service or without one. */
export async function keysCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      environment: { type: 'string' },
      name: { type: 'string' },
      scope: { type: 'string', multiple: true },
      'valid-days': { type: 'string' },
    },
  })
  const [verb, id] = positionals
  const { environment } = values
  const store = { environment, inMemorySentence }
  requireFitting(verb, values, positionals)
  switch (verb) {
    case 'create': {
      const name = readName(values.name)
      const chosen = values.scope?.map(readScope) ?? scopes
      const validMs = readDays(values['valid-days'])
      return withStore(store, async (context, config) => {
        const key = await createKey(context, {
          name,
          environment: config.environment,
          scopes: chosen,
          validMs,
        })
        process.stdout.write(`${key}\n`)
        process.stderr.write(
          `A key for ${name} (${config.environment}). It is shown this once; only its digest is stored.\n`,
        )
      })
    }
    case 'list':
      return withStore(store, printKeys)
    case 'revoke': {
      const keyId = readId(id)
      return withStore(store, async (context) => {
        const since = await revokeKey(context, keyId)
        process.stderr.write(
          `Key ${keyId} is revoked since ${since.toISOString()}; running services refuse it within a second.\n`,
        )
      })
    }
    default:
      throw new ExitError(
        'usage',
        'Say petstore keys create --name NAME, petstore keys list, or petstore keys revoke ID.',
      )
  }
}

const optionsOf: Record<string, readonly string[]> = {
  create: ['environment', 'name', 'scope', 'valid-days'],
  list: ['environment'],
  revoke: ['environment'],
}

/** Throws `usage` for options that the verb would ignore. */
function requireFitting(verb: string | undefined, values: object, positionals: readonly string[]) {
  const known = optionsOf[verb ?? '']
  if (!known) return
  const strange = Object.keys(values).find((option) => !known.includes(option))
  const tooMany = positionals[verb === 'revoke' ? 2 : 1]
  if (strange === undefined && tooMany === undefined) return
  throw new ExitError(
    'usage',
    `keys ${verb} does not take ${strange === undefined ? tooMany : `--${strange}`}. See petstore help.`,
  )
}

async function printKeys(context: Context) {
  const keys = await listKeys(context)
  const isoOf = (ms: number | undefined) => (ms === undefined ? '-' : new Date(ms).toISOString())
  const rows = keys.map((key) => [
    String(key.id),
    key.name,
    key.hint,
    key.scopes.join(','),
    isoOf(key.createdAt),
    isoOf(key.expiresAt),
    isoOf(key.lastUsedAt),
    isoOf(key.revokedAt),
  ])
  const table = [
    ['ID', 'NAME', 'KEY', 'SCOPES', 'CREATED', 'EXPIRES', 'LAST USED', 'REVOKED'],
    ...rows,
  ]
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of table) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
  }
}

function readName(name: string | undefined): string {
  if (!name || name.length > 200 || /\p{Cc}/u.test(name)) {
    throw new ExitError('usage', 'Say what the key is for: --name NAME, 1 to 200 characters.')
  }
  return name
}

function readScope(text: string): Scope {
  const scope = scopes.find((candidate) => candidate === text)
  if (!scope)
    throw new ExitError('usage', `--scope must be one of ${scopes.join(', ')}; received ${text}.`)
  return scope
}

function readDays(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new ExitError('usage', '--valid-days must be a number from 1 to 99999.')
  return Number(text) * dayMs
}

function readId(text: string | undefined): bigint {
  const id = text && /^\d{1,19}$/.test(text) ? BigInt(text) : undefined
  if (id === undefined || id > 2n ** 63n - 1n)
    throw new ExitError(
      'usage',
      'Say which key: petstore keys revoke ID, with an ID of petstore keys list.',
    )
  return id
}
