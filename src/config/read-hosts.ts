import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Names, addresses and networks of hosts. Throws an Error whose message names what is allowed. */
export function readHosts(text: string): readonly string[] {
  const hosts = text.split(',').map((host) => host.trim().toLowerCase())
  if (!hosts.every((host) => isNetwork(host) || isIP(host) > 0 || isName(host)))
    throw new Error(
      'host names, addresses and networks such as hooks.example.com or 10.0.0.0/8, separated by commas',
    )
  return hosts
}

/** A network with all parts of its address: 10/8 means another one to some programs. */
export function isNetwork(host: string): boolean {
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(host) || ipaddr.IPv6.isValidCIDR(host)
}

function isName(host: string): boolean {
  return /^[\w.-]+$/.test(host) && URL.parse(`http://${host}`)?.hostname === host
}
