import { isIP } from 'node:net'
import { listOf } from './read-setting.ts'

/** Names, addresses and networks of hosts. Throws an Error whose message names what is allowed. */
export const readHosts = (text: string) => readLowerCase(text.toLowerCase())

const readLowerCase = listOf(
  (host) => isNetwork(host) || isIP(host) > 0 || isName(host),
  'host names, addresses and networks such as hooks.example.com or 10.0.0.0/8, separated by commas',
)

const bitsMax: Record<number, number> = { 4: 32, 6: 128 }

/** A network with all parts of its address: 10/8 means another one to some programs. */
export function isNetwork(host: string): boolean {
  const [, address = '', bits = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(host) ?? []
  return bits !== '' && Number(bits) <= (bitsMax[isIP(address)] ?? -1)
}

function isName(host: string): boolean {
  return /^[\w.-]+$/.test(host) && URL.parse(`http://${host}`)?.hostname === host
}
