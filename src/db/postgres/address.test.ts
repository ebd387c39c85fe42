import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseAddress } from './address.ts'

const hostsOf = (text: string) => parseAddress(text).hosts

describe('the address of a PostgreSQL server', () => {
  it('has a host, a port, a user, a password and a database', () => {
    const { hosts, client } = parseAddress('postgres://me:secret@db.example.com:6543/petstore')

    assert.deepEqual(hosts, [{ host: 'db.example.com', port: 6543 }])
    assert.deepEqual([client.user, client.password, client.database], ['me', 'secret', 'petstore'])
  })

  it('the port is 5432 by default, and the scheme postgresql: is accepted', () => {
    assert.deepEqual(hostsOf('postgresql://db/petstore'), [{ host: 'db', port: 5432 }])
  })

  it('several hosts, each with or without a port, in their order', () => {
    const text =
      'postgres://me:secret@one,two:6000,10.0.0.3:1/petstore?target_session_attrs=read-write'

    assert.deepEqual(hostsOf(text), [
      { host: 'one', port: 5432 },
      { host: 'two', port: 6000 },
      { host: '10.0.0.3', port: 1 },
    ])
  })

  it('hosts may be IPv6 addresses in brackets', () => {
    const { hosts, client } = parseAddress('postgres://me:secret@[::1],[fe80::1]:6000/petstore')

    assert.deepEqual(hosts, [
      { host: '::1', port: 5432 },
      { host: 'fe80::1', port: 6000 },
    ])
    assert.equal(client.database, 'petstore')
  })

  it('a host may be the percent-encoded directory of a socket', () => {
    const { hosts, client } = parseAddress('postgres://me@%2Frun%2Fpostgresql:6000/petstore')

    assert.deepEqual(hosts, [{ host: '/run/postgresql', port: 6000 }])
    assert.equal(client.database, 'petstore')
  })

  it('user, password and database are percent-decoded', () => {
    const { client } = parseAddress('postgres://a%40b:p%40ss%3A%2F%3F%23%25%2C@db/pet%20store')

    assert.deepEqual(
      [client.user, client.password, client.database],
      ['a@b', 'p@ss:/?#%,', 'pet store'],
    )
  })

  it('target_session_attrs may have the values that are always met', () => {
    for (const value of ['read-write', 'primary']) {
      assert.equal(hostsOf(`postgres://db/petstore?target_session_attrs=${value}`).length, 1)
    }
    for (const value of ['any', 'standby', 'prefer-standby', '']) {
      assert.throws(
        () => parseAddress(`postgres://me:secret@db/petstore?target_session_attrs=${value}`),
        /^Error: with target_session_attrs=read-write/,
      )
    }
  })

  it('the TLS parameters are those of pg', () => {
    const root = `${import.meta.dirname}/../../../test/postgres/tls/server.crt`

    const { client } = parseAddress(
      `postgres://db/petstore?sslmode=verify-full&sslrootcert=${root}`,
    )

    assert.match(String((client.ssl as { ca?: unknown }).ca), /BEGIN CERTIFICATE/)
    assert.notEqual((client.ssl as { rejectUnauthorized?: boolean }).rejectUnauthorized, false)
    assert.equal(parseAddress('postgres://db/petstore?sslmode=disable').client.ssl, false)
  })

  it('sslmode=require and verify-ca are as strict as verify-full, without a warning of pg', () => {
    const warnings: unknown[] = []
    const original = process.emitWarning
    process.emitWarning = (warning: unknown) => void warnings.push(warning)
    try {
      for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
        const { ssl } = parseAddress(`postgres://db/petstore?sslmode=${mode}`).client
        assert.deepEqual({ ...(ssl as object) }, {}, mode)
      }
      const compatible = 'postgres://db/petstore?uselibpqcompat=true&sslmode=require'
      assert.deepEqual(
        { ...(parseAddress(compatible).client.ssl as object) },
        { rejectUnauthorized: false },
      )
    } finally {
      process.emitWarning = original
    }
    assert.deepEqual(warnings, [])
  })

  it('an unknown parameter is refused, since pg would ignore it, or take it for an option of its own', () => {
    const wrong = [
      [
        'sslmod=require',
        /^without the parameter sslmod; it can have target_session_attrs, .*sslmode, /,
      ],
      ['schema=shop', /^without the parameter schema; it can have /],
      ['search_path=shop', /^without the parameter search_path; /],
      ['query_timeout=1', /^without the parameter query_timeout; /],
      ['client_encoding=LATIN1', /^without the parameter client_encoding; /],
      ['connect_timeout=3', /^without the parameter connect_timeout; /],
      ['sec%20ret=1', /^without one of its parameters; /],
      ['SSLMODE=require', /^without the parameter SSLMODE; /],
      ['ssl_root_cert=/x', /^without the parameter ssl_root_cert; /],
      ['slsmode=require', /^without the parameter slsmode; /],
      ['sslmode=verify', /^with an sslmode of disable, /],
      ['sslmode=', /^with an sslmode of disable, /],
      ['sslrootcert=/nowhere/root.crt', /: there is no file \/nowhere\/root\.crt$/],
    ] as const
    for (const [query, message] of wrong) {
      assert.throws(() => parseAddress(`postgres://me:secret@db/petstore?${query}`), { message })
    }
    const others = 'application_name=shop&options=-csearch_path%3Dshop'
    assert.equal(hostsOf(`postgres://me:secret@db/petstore?${others}`).length, 1)
  })

  it('an invalid address is refused, and its password is not repeated', () => {
    const wrong = [
      'postgres://',
      'postgres:///petstore',
      'postgres://me:secret@/petstore',
      'postgres://me:secret@/petstore?host=/var/run/postgresql',
      'postgres://me:secret@db/petstore?host=other',
      'postgres://me:secret@db/petstore?port=6000',
      'postgres://me:secret@one,,two/petstore',
      'postgres://me:secret@one,/petstore',
      'postgres://me:secret@::1/petstore',
      'postgres://me:secret@db:0/petstore',
      'postgres://me:secret@db:65536/petstore',
      'postgres://me:secret@db:port/petstore',
      'postgres://me:sec/ret@db/petstore',
      'postgres://me:secret@db/petstore#fragment',
      'postgres://me:secret@db/petstore?sslrootcert=/nowhere/root.crt',
    ]
    for (const text of wrong) {
      assert.throws(
        () => parseAddress(text),
        (error: Error) => !/sec.?ret/.test(error.message) && error.message.length > 20,
        text,
      )
    }
  })
})
