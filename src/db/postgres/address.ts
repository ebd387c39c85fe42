import type { ClientConfig } from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import { configurationError } from '../errors.ts'

export type Host = { host: string; port: number }

/** The address of PostgreSQL. Several hosts are tried in turn; only the primary is used. */
export type PostgresAddress = { hosts: readonly Host[]; client: ClientConfig }

const defaultPort = 5432

/** A host in messages. */
export function nameOfHost({ host, port }: Host): string {
  return host.startsWith('/') ? host : `${host}:${port}`
}

/** The parameters of an address that have an effect. */
const knownParameters = [
  ...['target_session_attrs', 'application_name', 'options', 'user', 'password'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'ssl', 'uselibpqcompat'],
]
const tlsModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full']

/**
 * Reads an address such as `postgres://user:password@one:5432,two:5432/petstore?sslmode=verify-full`. TLS options are
 * those of `pg`. Throws an Error that names what is allowed, never the password.
 */
export function parseAddress(text: string): PostgresAddress {
  const match = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)(\/[^?#]*)?(\?[^#]*)?$/.exec(text)
  if (!match) throw new Error('postgres://USER:PASSWORD@HOST:PORT/DATABASE')
  const [, start = '', hostList = '', path = '', query = ''] = match
  const parameters = new URLSearchParams(query)
  if (parameters.has('host') || parameters.has('port')) {
    throw new Error('with its hosts and ports before the slash, not as parameters')
  }
  requireKnown(parameters)
  const wanted = parameters.get('target_session_attrs')
  if (wanted !== null && wanted !== 'read-write' && wanted !== 'primary') {
    throw new Error('with target_session_attrs=read-write, the only supported value')
  }
  parameters.delete('target_session_attrs')
  requireTlsMode(parameters)
  const rest = parameters.size > 0 ? `?${parameters}` : ''
  const hosts = hostList.split(',').map(parseHost)
  const [first] = hosts as [Host]
  const firstHost = first.host.includes(':') ? `[${first.host}]` : encodeURIComponent(first.host)
  const one = `${start}${firstHost}:${first.port}${path}${rest}`
  return { hosts, client: parseOne(one) }
}

/** As `parseAddress`. Throws `configuration`. */
export function readAddress(text: string): PostgresAddress {
  try {
    return parseAddress(text)
  } catch (error) {
    const allowed = error instanceof Error ? error.message : String(error)
    throw configurationError(`PETSTORE_DATABASE must be ${allowed}.`, error)
  }
}

/** `pg` would ignore others, or take them for its own options: a mistyped one would turn TLS off. */
function requireKnown(parameters: URLSearchParams) {
  for (const name of parameters.keys()) {
    if (knownParameters.includes(name)) continue
    // What follows an & that is not percent-encoded may be a part of a password.
    const shown = /^[a-z_]+$/i.test(name) ? `the parameter ${name}` : 'one of its parameters'
    throw new Error(`without ${shown}; it can have ${knownParameters.join(', ')}`)
  }
}

function requireTlsMode(parameters: URLSearchParams) {
  const mode = parameters.get('sslmode')
  if (mode === null) return
  if (!tlsModes.includes(mode)) throw new Error(`with an sslmode of ${tlsModes.join(', ')}`)
  const isStrict = parameters.get('uselibpqcompat') !== 'true'
  // `pg` does the same with these, and prints a warning of nine lines.
  if (isStrict && ['prefer', 'require', 'verify-ca'].includes(mode))
    parameters.set('sslmode', 'verify-full')
}

/** Parses an address with one host, as `pg` does. */
function parseOne(text: string): ClientConfig {
  try {
    return parseIntoClientConfig(text)
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? `there is no file ${path}` : message
    throw new Error(`an address that can be read: ${reason}`, { cause: error })
  }
}

function parseHost(text: string): Host {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text)
  if (!match) throw new Error('postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE')
  const [, host = '', digits] = match
  const port = digits === undefined ? defaultPort : Number(digits)
  if (port < 1 || port > 65_535) throw new Error('with ports from 1 to 65535')
  // `%2Frun%2Fpostgresql` is the directory of a socket, as in libpq.
  return { host: decodeURIComponent(host.replace(/^\[|\]$/g, '')), port }
}
