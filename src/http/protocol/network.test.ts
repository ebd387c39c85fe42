import assert from 'node:assert/strict'
import { it } from 'node:test'
import { networkOf } from './network.ts'

it('the network of a client is its address of IPv4, or the first 64 bits of its address of IPv6', () => {
  const networks = {
    '192.0.2.7': '192.0.2.7',
    '::ffff:192.0.2.7': '192.0.2.7',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2',
    '2001:db8:1:2::6': '2001:db8:1:2',
    '2001:db8::1:2:3:4:5': '2001:db8:0:1',
    '2001:db8::6': '2001:db8:0:0',
    'fe80::1%eth0': 'fe80:0:0:0',
    '::1': '0:0:0:0',
  }

  for (const [address, network] of Object.entries(networks))
    assert.equal(networkOf(address), network)
})
