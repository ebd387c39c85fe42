import { settingsOf } from '../../../client/src/settings.ts'
import { urlOfClient } from '../../config/client-environment.ts'
import { usageError } from '../../config/exit-error.ts'
import { printable } from '../../telemetry/escape.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { askSecret } from '../text/ask-whether.ts'
import { tell } from '../text/print.ts'
import { exitOnFailure } from './failures.ts'
import { baseUrlOf, firstLine } from './find-service.ts'
import { createPrinter } from './print-records.ts'
import { profileNamed, readProfiles, writeProfiles } from './profiles.ts'
import { readStandardInput } from './read-request.ts'
import { transportTo } from './run-operation.ts'
import { type TableEntry, table } from './table.ts'

type LoginFlags = FlagsOf<never, 'url' | 'profile'>

/** `login`: tries a key and keeps it. Throws `ExitError`. */
export async function loginCommand({
  url = urlOfClient(),
  profile = 'default',
}: LoginFlags): Promise<number> {
  if (!/^[\w.-]{1,50}$/.test(profile)) {
    throw usageError('--profile must be 1 to 50 letters, digits, dots, dashes or underscores.')
  }
  const known = readProfiles()
  const address = url === undefined ? undefined : baseUrlOf(url)
  const key = firstLine((await askSecret('API key: ')) ?? (await readStandardInput()))
  if (key === '') throw usageError('There is no key: type one, or give it on standard input.')
  const { baseUrl, name } = await exitOnFailure(tryKey(address, key))
  const profiles = { ...known.profiles, [profile]: { url: baseUrl, key } }
  writeProfiles({ current: profile, profiles })
  const { url: replaced = baseUrl } = known.profiles[profile] ?? {}
  const change = replaced === baseUrl ? '' : ` It replaces the key of ${replaced}.`
  tell(
    `The key ${printable(JSON.stringify(name))} of ${baseUrl} is kept as profile ${profile}.${change}`,
  )
  return 0
}

async function tryKey(url: string | undefined, key: string) {
  const { baseUrl } = settingsOf({ key, baseUrl: url })
  const entry = table.keys?.['get-own'] as TableEntry
  const own = await transportTo({ url: baseUrl, key }).call<{ name: string }>(
    entry.operation,
    {},
    {},
  )
  return { baseUrl, name: own.name }
}

const profileColumns = { name: 'text', url: 'text', key: 'text', isCurrent: 'text' } as const

/** `profiles`: lists them, or makes one the current one. Throws `ExitError`. */
export async function profilesCommand({ use, json }: FlagsOf<'json', 'use'>): Promise<number> {
  const known = readProfiles()
  if (use !== undefined) {
    profileNamed(use, known)
    writeProfiles({ ...known, current: use })
    tell(`The commands over HTTP use profile ${use}.`)
    return 0
  }
  const printer = createPrinter({ kind: 'list', columns: profileColumns }, { json })
  const rows = Object.entries(known.profiles).map(([name, { url, key }]) => ({
    name,
    url,
    key: `${key.slice(0, 9)}…${key.slice(-4)}`,
    isCurrent: name === known.current,
  }))
  await printer.rows(rows)
  await printer.end()
  return 0
}

/** `logout`: forgets a profile. Throws `ExitError`. */
export function logoutCommand({ profile }: Pick<LoginFlags, 'profile'>): number {
  const { current, profiles: all } = readProfiles()
  const name = profile ?? current
  if (name === undefined) throw usageError('There is no profile in use: --profile names one.')
  profileNamed(name, { profiles: all })
  const { [name]: _forgotten, ...profiles } = all
  writeProfiles({ current: current === name ? undefined : current, profiles })
  tell(`Profile ${name} is forgotten. Its key stays valid until it is revoked.`)
  return 0
}
