/** The network of one client: an address of IPv4, the first 64 bits of one of IPv6. */
export function networkOf(address = ''): string {
  if (address.startsWith('::ffff:')) return address.slice(7)
  if (!address.includes(':')) return address
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}
