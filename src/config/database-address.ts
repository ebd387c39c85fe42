import type { DatabaseAddress } from '../db/open.ts'

/** Reads `sqlite:PATH` or `postgres://…`. */
export function readDatabase(text: string): DatabaseAddress {
  const path = /^sqlite:(.+)$/.exec(text)?.[1]
  if (path !== undefined && addressPattern.test(decoded(path))) {
    throw new Error(
      'sqlite:PATH with the path of a file, not with the address of a server; an address of PostgreSQL begins with postgres://',
    )
  }
  if (path !== undefined) return { engine: 'sqlite', path, name: path }
  const [, scheme, hosts = '', database = ''] = postgresPattern.exec(text) ?? []
  const isMisread = /^[^/]*@|:.*@|[&?].*=/.test(decoded(hosts + database))
  if (isMisread || !hosts.split(',').every((host) => hostPattern.test(host))) {
    throw new Error(
      'sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE, where @ : / ? # within a part are percent-encoded',
    )
  }
  return { engine: 'postgres', text, name: `${scheme}${hosts}${database}` }
}

/** Matches addresses with a password, and no path of a database: messages show a path. */
const addressPattern = /:\/\/|^postgres\w*:|:.*@|^\/\/.*@|(?:pass|pwd|secret)\w*=/i

/**
 * Scheme, hosts and database. Allows one `@` at most, and only a port after a host: no part of a password that is not
 * percent-encoded can be taken for another part and shown.
 */
const postgresPattern = /^(postgres(?:ql)?:\/\/)(?:[^@/?#]*@)?([^@/?#]+)(\/[^@/?#]*)?(?:\?[^@#]*)?$/
const hostPattern = /^(?:\[[\da-fA-F:.]+\]|[^\s@:/?#,[\]]+)(?::\d{1,5})?$/

/** A readable address of PostgreSQL with nothing hidden but passwords: the user and the parameters count too. */
export function withoutPassword(address: string): string {
  const [, scheme = '', user = '', rest = ''] = /^(\w+:\/\/)(?:([^@]*)@)?(.*)$/.exec(address) ?? []
  const [place = '', parameters] = rest.split('?', 2)
  const shownUser = user === '' ? '' : `${user.replace(/(:|%3a).*$/i, `$1${masked}`)}@`
  const shown = parameters?.split('&').map(withoutValueOfSecret).join('&')
  return `${scheme}${shownUser}${place}${shown === undefined ? '' : `?${shown}`}`
}

const masked = '********'

function withoutValueOfSecret(parameter: string): string {
  const [name = ''] = parameter.split('=', 1)
  const meant = decoded(name)
  if (!/^\w*$/.test(meant)) return masked
  return /pass|pwd|secret/i.test(meant) ? `${name}=${masked}` : parameter
}

/** With percent-encoded bytes decoded, valid or not. */
function decoded(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
