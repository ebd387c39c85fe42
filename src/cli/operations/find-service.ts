import { hasProxy, keyOfClient, urlOfClient } from '../../config/client-environment.ts'
import { usageError } from '../../config/exit-error.ts'
import { profileNamed, readProfiles } from './profiles.ts'
import { type Flags, readStandardInput } from './read-request.ts'

/** Absent, the address is the one of a service on this machine. */
export type Service = { url?: string | undefined; key?: string | undefined }

/**
 * The service and the key of a command line. The variables of the environment and a profile are not mixed: no key is
 * sent to the service of another. Throws `ExitError`.
 */
export async function findService(flags: Flags): Promise<Service> {
  const service = { ...named(flags) }
  if (flags['key-stdin']) service.key = firstLine(await readStandardInput())
  return service.url === undefined ? service : { ...service, url: baseUrlOf(service.url) }
}

function named({ url, profile }: Flags): Service {
  if (typeof profile === 'string') {
    if (url !== undefined) throw usageError('--url and --profile exclude each other.')
    return profileNamed(profile, readProfiles())
  }
  const address = (url as string | undefined) ?? urlOfClient()
  const key = keyOfClient()
  if (address !== undefined || key !== undefined) return { url: address, key }
  const profiles = readProfiles()
  return profiles.current === undefined ? {} : profileNamed(profiles.current, profiles)
}

/** The error where no key is given. */
export const noKey = () =>
  usageError(
    'There is no key: set PETSTORE_KEY, or run petstore login. On the machine of the store, petstore keys create makes one.',
  )

/** The base address that an address means: without a path, `/v1`. Throws `usage`. */
export function baseUrlOf(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || `${url.username}${url.search}${url.hash}`) {
    throw usageError(
      'The address of a service is one such as https://staging.example/v1, without a password.',
    )
  }
  if (url.pathname === '/') url.pathname = '/v1'
  return url.href.replace(/\/$/, '')
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim() ?? ''
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Sends requests through the proxy of the environment, except to this machine. */
export function useProxy(url: string | undefined): void {
  if (url === undefined || !hasProxy() || loopback.test(new URL(url).hostname)) return
  const http: Partial<typeof import('node:http')> = process.getBuiltinModule('http')
  if (http.setGlobalProxyFromEnv === undefined) {
    throw usageError('This Node does not know HTTPS_PROXY and HTTP_PROXY: use Node 26.')
  }
  http.setGlobalProxyFromEnv()
}
