import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isNetwork } from '../../../config/read-hosts.ts'
import type { Targets } from '../../../context/context.ts'
import { createResolver, type Resolve } from './resolver.ts'

/** What decides about addresses also while a connection is made: a name may have others by then. */
type CheckedTargets = Targets & {
  /** Throws `TargetRefused` where no connection may be made to what the address says, whatever its name stands for. */
  parse(address: string): URL
  /** The addresses of a name that a connection of this protocol may use: all of them, or it fails with `TargetRefused`. */
  lookup: Record<'http:' | 'https:', LookupFunction>
}

/** Webhooks may not be sent there. The message is for people. */
class TargetRefused extends Error {
  override name = 'TargetRefused'
}

type TargetsOptions = {
  /** Names, addresses and networks that are allowed although they are not public. */
  hosts: readonly string[]
  resolve?: Resolve | undefined
  /** Whether this service is served there. */
  isOwn(url: URL, addresses: readonly string[]): boolean
}

const rule = 'Webhooks are sent to public addresses over https'
const exceptions = 'and to the hosts that PETSTORE_WEBHOOK_HOSTS allows'

/** Allows public addresses over https, and these hosts, also over http. */
export function createTargets({
  hosts,
  resolve = createResolver(),
  isOwn,
}: TargetsOptions): CheckedTargets {
  const names = new Set(hosts.filter((host) => !isNetwork(host) && !isIP(host)))
  const networks = hosts
    .filter((host) => !names.has(host))
    .map((host) => ipaddr.parseCIDR(isIP(host) ? `${host}/${isIP(host) === 4 ? 32 : 128}` : host))

  function isAllowed(address: string): boolean {
    const parsed = ipaddr.parse(address)
    return networks.some(([net, bits]) => net.kind() === parsed.kind() && parsed.match(net, bits))
  }

  /** Throws unless each address may be connected to: of several, any one would be. */
  function requireAllowed(protocol: string, host: string, addresses: readonly string[]) {
    if (addresses.length === 0) throw new TargetRefused(`${host} has no address.`)
    if (names.has(host) || addresses.every(isAllowed)) return
    if (protocol === 'http:') throw new TargetRefused(`${rule}, ${exceptions} also over http.`)
    if (addresses.every((address) => isAllowed(address) || isPublic(address))) return
    const what = isIP(host) ? 'is not a public address' : 'stands for an address that is not public'
    throw new TargetRefused(`${host} ${what}. ${rule}, ${exceptions}.`)
  }

  function parse(address: string): URL {
    const url = URL.parse(address)
    if (!url || !/^https?:$/.test(url.protocol))
      throw new TargetRefused(
        'This is not an https address, such as https://shop.example.com/hooks.',
      )
    if (url.username || url.password)
      throw new TargetRefused('The address may not hold a user name or a password.')
    if (url.port === '0') throw new TargetRefused('No connection can be made to port 0.')
    const host = hostOf(url)
    if (isIP(host)) requireAllowed(url.protocol, host, [host])
    return url
  }

  async function addressesOf(protocol: string, host: string): ReturnType<Resolve> {
    const found = await resolve(host).catch((error: NodeJS.ErrnoException) => {
      throw new TargetRefused(`${host} has no address that can be found now.`, { cause: error })
    })
    const addresses = found.map(({ address }) => address)
    requireAllowed(protocol, host, addresses)
    return found
  }

  function lookupFor(protocol: string): LookupFunction {
    // With `autoSelectFamily` Node asks for all addresses, and tries them in turn.
    return (host, _options, callback) => {
      addressesOf(protocol, host).then(
        (found) => callback(null, [...found]),
        (error) => callback(error, ''),
      )
    }
  }

  return {
    parse,
    lookup: { 'http:': lookupFor('http:'), 'https:': lookupFor('https:') },
    async findFault(address) {
      try {
        const url = parse(address)
        const host = hostOf(url)
        const found = isIP(host) ? [{ address: host }] : await addressesOf(url.protocol, host)
        const addresses = found.map((one) => one.address)
        return isOwn(url, addresses) ? 'This is the address of this service itself.' : undefined
      } catch (error) {
        if (error instanceof TargetRefused) return error.message
        throw error
      }
    },
  }
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is one of the public internet: of IPv6, only of the range that is assigned for that. */
function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}

/** The name, or the address without brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
