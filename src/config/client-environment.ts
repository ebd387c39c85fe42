import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The variables that name a service to commands, beside the settings of a store. */
export const clientVariables = ['PETSTORE_KEY', 'PETSTORE_URL'] as const

/** The key that commands send to a service. */
export function keyOfClient(): string | undefined {
  return process.env.PETSTORE_KEY || undefined
}

/** The base address of the service that commands use. */
export function urlOfClient(): string | undefined {
  return process.env.PETSTORE_URL || undefined
}

/** Whether requests may have to go through a proxy. */
export function hasProxy(): boolean {
  const { HTTPS_PROXY, HTTP_PROXY, https_proxy, http_proxy } = process.env
  return Boolean(HTTPS_PROXY || HTTP_PROXY || https_proxy || http_proxy)
}

/** The folder for the configuration of this user's programs. */
export function configFolder(): string {
  const { XDG_CONFIG_HOME: xdg = '', APPDATA: windows = '' } = process.env
  if (isAbsolute(xdg)) return join(xdg, 'petstore')
  if (process.platform === 'win32' && isAbsolute(windows)) return join(windows, 'petstore')
  return join(homedir(), '.config', 'petstore')
}
