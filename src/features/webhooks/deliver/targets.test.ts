import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Resolve } from './resolver.ts'
import { createTargets } from './targets.ts'

/** Targets of a service that knows these names alone. */
function targetsWith(names: Record<string, readonly string[]> = {}, hosts: readonly string[] = []) {
  const resolve: Resolve = async (name) => {
    const found = names[name]
    if (!found) throw new Error(`getaddrinfo ENOTFOUND ${name}`)
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return createTargets({ hosts, resolve, isOwn: ({ port }) => port === '8080' })
}

const publicAddresses = ['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0']
const publicIn6 = ['2606:4700:4700::1111', '2a00::1', '2001:200::1', '2001:db7::1', '2400:cb00::1']

/** The first and the last address of what IANA does not assign to hosts of the internet. */
const special: Record<string, readonly string[]> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  private: [
    '10.0.0.0',
    '10.255.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.168.0.0',
    '192.168.255.255',
  ],
  shared: ['100.64.0.0', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.255.255.255', '::1'],
  'link-local': [
    '169.254.0.0',
    '169.254.169.254',
    '169.254.255.255',
    'fe80::',
    'febf::1',
    'fe80::1%eth0',
  ],
  'protocol assignments': ['192.0.0.0', '192.0.0.255', '2001::', '2001:1ff:ffff::'],
  documentation: [
    '192.0.2.0',
    '198.51.100.255',
    '203.0.113.7',
    '2001:db8::',
    '2001:db8:ffff::1',
    '3fff::1',
    '3fff:fff::',
  ],
  benchmarking: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.0', '239.255.255.255', 'ff00::', 'ff02::1'],
  reserved: ['240.0.0.0', '255.255.255.255', '4000::', 'e000::1', '100::1', '5f00::1'],
  unspecified: ['::'],
  'IPv4-mapped': ['::ffff:10.0.0.1', '::ffff:1.1.1.1', '::ffff:7f00:1'],
  'IPv4-compatible': ['::10.0.0.1', '::1.1.1.1'],
  'IPv4-translated': ['::ffff:0:10.0.0.1'],
  NAT64: ['64:ff9b::10.0.0.1', '64:ff9b::101:101', '64:ff9b:1::', '64:ff9b:1:ffff::1'],
  '6to4': ['2002::', '2002:a00:1::1', '192.88.99.1'],
  Teredo: ['2001:0:a00:1::'],
  'unique local': ['fc00::', 'fdff:ffff::1'],
  'site-local': ['fec0::1'],
}

it('only addresses of the public internet are allowed', async () => {
  const isAllowed = async (address: string) =>
    (await targetsWith({ 'a.test': [address] }).findFault('https://a.test/')) === undefined
  for (const address of [...publicAddresses, ...publicIn6])
    assert.ok(await isAllowed(address), address)
  for (const [kind, addresses] of Object.entries(special))
    for (const address of addresses) assert.ok(!(await isAllowed(address)), `${kind}: ${address}`)
})

it('an address that is not public is refused in every spelling', async () => {
  const { findFault } = targetsWith()
  const loopback = [
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '127.0.0.1.',
    '１２７.０.０.１',
  ]
  const others = [
    '10.1',
    '0xA9FEA9FE',
    '[::ffff:127.0.0.1]',
    '[0:0:0:0:0:0:0:1]',
    '[64:ff9b::7f00:1]',
    '[FE80::1]',
  ]
  for (const host of [...loopback, ...others])
    assert.match((await findFault(`https://${host}/hook`)) ?? '', /is not a public address/, host)
  assert.match((await findFault('https://[fe80::1%25eth0]/')) ?? '', /not an https address/)
  assert.equal(await findFault('https://1.1.1.1/hook'), undefined)
  assert.equal(await findFault('https://[2606:4700:4700::1111]/hook'), undefined)
})

it('a name is refused where one of its addresses is not public, or it has none', async () => {
  const { findFault } = targetsWith({
    'good.test': ['1.1.1.1', '2606:4700:4700::1111'],
    'mixed.test': ['1.1.1.1', '10.0.0.1'],
    'inner.test': ['::1'],
    'none.test': [],
  })

  assert.equal(await findFault('https://good.test/hook'), undefined)
  for (const name of ['mixed.test', 'inner.test']) {
    const fault = (await findFault(`https://${name}/`)) ?? ''
    assert.match(fault, /stands for an address that is not public.*PETSTORE_WEBHOOK_HOSTS/)
    assert.doesNotMatch(fault, /10\.0\.0\.1|::1/)
  }
  for (const name of ['none.test', 'unknown.test'])
    assert.match((await findFault(`https://${name}/`)) ?? '', /has no address/)
})

it('http, credentials, port 0, other protocols and the service itself are refused', async () => {
  const { findFault } = targetsWith({ 'good.test': ['1.1.1.1'] })
  for (const [address, fault] of [
    ['http://good.test/', /over https/],
    ['http://1.1.1.1/', /over https/],
    ['https://user@good.test/', /user name or a password/],
    ['https://:secret@good.test/', /user name or a password/],
    ['https://good.test:0/', /port 0/],
    ['ftp://good.test/', /not an https address/],
    ['good.test/hook', /not an https address/],
    ['', /not an https address/],
    ['https://good.test:8080/', /this service itself/],
  ] as const)
    assert.match((await findFault(address)) ?? '', fault, address)
})

it('hosts, addresses and networks of the setting are allowed, also over http', async () => {
  const names = {
    'hooks.internal': ['10.0.0.7'],
    'in.test': ['192.168.3.4'],
    'mixed.test': ['1.1.1.1', '192.168.3.4'],
  }
  const { findFault } = targetsWith(names, ['hooks.internal', '192.168.0.0/16', '::1'])
  for (const host of ['hooks.internal', '192.168.255.1', '[::1]', 'in.test'])
    for (const protocol of ['http', 'https'])
      assert.equal(await findFault(`${protocol}://${host}:9000/`), undefined, host)

  assert.equal(await findFault('https://mixed.test/'), undefined)
  for (const address of [
    'http://mixed.test/',
    'https://10.0.0.7/',
    'https://[::ffff:192.168.0.1]/',
  ])
    assert.match((await findFault(address)) ?? '', /public/, address)
})

it('a connection gets checked addresses alone, whatever the name stood for before', async () => {
  const names = { 'moving.test': ['1.1.1.1'] }
  const { findFault, lookup } = targetsWith(names)
  const connect = () =>
    new Promise((resolve, reject) =>
      lookup['https:']('moving.test', { all: true }, (error, found) =>
        error ? reject(error) : resolve(found),
      ),
    )

  assert.equal(await findFault('https://moving.test/'), undefined)
  assert.deepEqual(await connect(), [{ address: '1.1.1.1', family: 4 }])
  names['moving.test'] = ['127.0.0.1']
  await assert.rejects(connect(), { name: 'TargetRefused' })
})
