import { styleText } from 'node:util'
import { settingsOf } from '../../../client/src/settings.ts'
import { urlOfClient } from '../../config/client-environment.ts'
import { usageError } from '../../config/exit-error.ts'
import { printable } from '../../telemetry/escape.ts'
import { askSecret } from '../ask-whether.ts'
import { printJson, tell } from '../print.ts'
import { formatTable } from '../table.ts'
import { describeRequestFailure } from './failures.ts'
import { baseUrlOf, firstLine } from './find-service.ts'
import { type Profiles, profileNamed, readProfiles, writeProfiles } from './profiles.ts'
import { readStandardInput } from './read-request.ts'
import { transportTo } from './run-operation.ts'
import { table } from './table.ts'

type ProfileFlags = { profile?: string | undefined }
type LoginFlags = ProfileFlags & { url?: string | undefined }

const nameDefault = 'default'

/** `login`: tries a key and keeps it. Throws `ExitError`. */
export async function loginCommand({ url, profile = nameDefault }: LoginFlags): Promise<number> {
  if (!/^[\w.-]{1,50}$/.test(profile)) {
    throw usageError('--profile must be 1 to 50 letters, digits, dots, dashes or underscores.')
  }
  const known = readProfiles()
  const address = url ?? urlOfClient()
  const baseUrl = address === undefined ? undefined : baseUrlOf(address)
  const key = firstLine((await askSecret('API key: ')) ?? (await readStandardInput()))
  if (key === '') throw usageError('There is no key: type one, or give it on standard input.')
  try {
    const transport = transportTo({ url: baseUrl, key })
    const { operation } = table.keys?.['get-own'] ?? {}
    if (operation === undefined) throw new Error('No operation returns the key of the request.')
    const { name } = await transport.call<{ name: string }>(operation, {}, {})
    const service = settingsOf({ key, baseUrl }).baseUrl
    const profiles = { ...known.profiles, [profile]: { url: service, key } }
    writeProfiles({ current: profile, profiles })
    tell(`The key ${printable(JSON.stringify(name))} of ${service} is kept as profile ${profile}.`)
    return 0
  } catch (error) {
    const told = describeRequestFailure(error)
    if (told === undefined) throw error
    tell(told.sentence)
    return told.code
  }
}

/** `profiles`: lists them, or makes one the current one. Throws `ExitError`. */
export function profilesCommand({
  use,
  json,
}: {
  use?: string | undefined
  json: boolean
}): number {
  const known = readProfiles()
  if (use !== undefined) {
    profileNamed(use, known)
    writeProfiles({ ...known, current: use })
    tell(`The commands over HTTP use profile ${use}.`)
    return 0
  }
  const rows = Object.entries(known.profiles).map(([name, { url, key }]) => ({
    name,
    url,
    key: `${key.slice(0, 9)}…${key.slice(-4)}`,
    isCurrent: name === known.current,
  }))
  if (json) printJson(rows)
  else if (rows.length === 0) tell('There is no profile: petstore login makes one.')
  else {
    const cells = rows.map(({ name, url, key, isCurrent }) => [
      isCurrent ? '*' : '',
      name,
      url,
      key,
    ])
    const bold = (text: string) => styleText('bold', text, { stream: process.stdout })
    process.stdout.write(formatTable(['', 'NAME', 'URL', 'KEY'], cells, bold))
  }
  return 0
}

/** `logout`: forgets a profile. Throws `ExitError`. */
export function logoutCommand({ profile }: ProfileFlags): number {
  const known = readProfiles()
  const name = profile ?? known.current
  if (name === undefined) throw usageError('There is no profile in use: --profile names one.')
  profileNamed(name, known)
  const { [name]: _forgotten, ...profiles } = known.profiles
  const rest: Profiles = { profiles }
  if (known.current !== name) rest.current = known.current
  writeProfiles(rest)
  tell(`Profile ${name} is forgotten. Its key stays valid until it is revoked.`)
  return 0
}
