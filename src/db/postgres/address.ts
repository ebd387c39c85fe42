import type { ClientConfig } from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import { ExitError } from '../../exit.ts'

export type Host = { host: string; port: number }

/** Where PostgreSQL is: several hosts are tried in turn, and only one that takes writes is used. */
export type PostgresAddress = { hosts: readonly Host[]; client: ClientConfig }

const defaultPort = 5432

/**
 * Reads an address such as `postgres://user:password@one:5432,two:5432/petstore?sslmode=verify-full`.
 * TLS options are those of `pg`. Throws an Error that says what is allowed, and never the password.
 */
export function parseAddress(text: string): PostgresAddress {
  const match = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)(\/[^?#]*)?(\?[^#]*)?$/.exec(text)
  if (!match) throw new Error('postgres://USER:PASSWORD@HOST:PORT/DATABASE')
  const [, start = '', hostList = '', path = '', query = ''] = match
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get('target_session_attrs')
  if (wanted !== null && wanted !== 'read-write' && wanted !== 'primary') {
    throw new Error('with target_session_attrs=read-write, the only one there is')
  }
  parameters.delete('target_session_attrs')
  const rest = parameters.size > 0 ? `?${parameters}` : ''
  const hosts = hostList.split(',').map(parseHost)
  const [first] = hosts as [Host]
  const firstHost = first.host.includes(':') ? `[${first.host}]` : first.host
  return {
    hosts,
    client: parseIntoClientConfig(`${start}${firstHost}:${first.port}${path}${rest}`),
  }
}

function parseHost(text: string): Host {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text)
  if (!match) throw new Error('postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE')
  const [, host = '', port] = match
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: port === undefined ? defaultPort : Number(port),
  }
}

export function unreachable(address: PostgresAddress, reason: string, cause: unknown): ExitError {
  const names = address.hosts.map(({ host, port }) => `${host}:${port}`).join(', ')
  return new ExitError(
    'ioError',
    `No PostgreSQL server that takes writes answers at ${names}: ${reason}.`,
    cause,
  )
}
