import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configFolder } from '../../config/client-environment.ts'
import { ExitError, usageError } from '../../config/exit-error.ts'
import { didYouMean } from '../../nearest-name.ts'
import { quoted } from '../text/quoted.ts'

type Profile = { url: string; key: string }
type Profiles = { current?: string | undefined; profiles: Record<string, Profile> }

const othersMask = 0o077

/** The profiles of this user. Throws `noPermission` where others can read them, `configuration` where they are no JSON. */
export function readProfiles(): Profiles {
  const path = profilesPath()
  const text = readOwn(path)
  if (text === undefined) return { profiles: {} }
  const found = parse(text, path)
  const { current, profiles } = Object(found) as Profiles
  const isWhole =
    (current === undefined || typeof current === 'string') &&
    Object(profiles) === profiles &&
    Object.values(profiles).every(isProfile)
  if (isWhole) return { current, profiles: { ...profiles } }
  throw new ExitError(
    'configuration',
    `${path} is not as petstore login writes it: each of its profiles has url and key. Correct it, or delete it and run petstore login.`,
  )
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ExitError('configuration', `${path} is not JSON: ${(error as Error).message}.`, error)
  }
}

function isProfile(value: unknown): boolean {
  const { url, key } = Object(value) as Profile
  return typeof url === 'string' && typeof key === 'string' && URL.canParse(url)
}

/** Replaces the profiles at once; only this user can read them. */
export function writeProfiles(profiles: Profiles): void {
  const path = profilesPath()
  const unfinished = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(unfinished, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  chmodSync(unfinished, 0o600)
  renameSync(unfinished, path)
}

/** The profile of this name. Throws `usage`. */
export function profileNamed(name: string, { profiles }: Profiles): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found !== undefined) return found
  const otherwise = ': petstore login makes one.'
  const end = didYouMean(name, Object.keys(profiles), { otherwise })
  throw usageError(`There is no profile ${JSON.stringify(name)}${end}`)
}

function profilesPath(): string {
  return join(configFolder(), 'profiles.json')
}

function readOwn(path: string): string | undefined {
  let mode: number | undefined
  try {
    mode = statSync(path, { throwIfNoEntry: false })?.mode
    if (mode === undefined) return undefined
    if (process.platform === 'win32' || (mode & othersMask) === 0) return readFileSync(path, 'utf8')
  } catch (error) {
    const { message } = error as Error
    throw new ExitError('noPermission', `${path} cannot be read: ${message}.`, error)
  }
  const shown = (mode & 0o777).toString(8)
  throw new ExitError(
    'noPermission',
    `Other users can read the keys in ${path} (mode ${shown}): run chmod 600 ${quoted(path)}, and rotate the keys.`,
  )
}
