import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/is-loopback.ts'

/** Whether webhooks to this address would be sent to the service itself. */
export function isServedAt(
  server: FastifyInstance,
  { publicUrl }: Config,
  { origin, port }: URL,
  addresses: readonly string[],
): boolean {
  if (publicUrl !== undefined && new URL(publicUrl).origin === origin) return true
  const bound = server.addresses() as AddressInfo[]
  const own = bound.filter((one) => String(one.port) === port).map((one) => one.address)
  return own.length > 0 && addresses.some((one) => own.includes(one) || isLoopback(one))
}

const allAddresses = new Set(['0.0.0.0', '::'])

/** Scheme, address and port that it listens on, as clients on this machine see them. */
export function originOf(server: FastifyInstance, { host, port }: Config): string {
  const bound = server.addresses()[0] as AddressInfo | undefined
  const name = allAddresses.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${bound?.port ?? port}`
}
