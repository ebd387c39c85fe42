import { lookup } from 'node:dns/promises'
import net from 'node:net'
import type { Config } from '../../config/config.ts'
import { ExitError } from '../../config/exit-error.ts'
import { explainListening, portAdvice } from '../explain-listening.ts'

/**
 * A bound socket on which processes that inherit its `fd` listen. Connections that nobody accepts yet wait in the kernel.
 * Throws `ExitError`.
 */
export async function bindSocket({ host, port }: Config): Promise<{ fd: number; close(): void }> {
  // Node 26.4 and newer have it; on Windows its sockets have no descriptors.
  if (net.BoundSocket === undefined || process.platform === 'win32') {
    throw new ExitError(
      'configuration',
      'PETSTORE_PROCESSES needs Linux or macOS, and Node 26.4 or newer. Leave it out, or start several services behind a balancer.',
    )
  }
  try {
    const socket = new net.BoundSocket({ host: (await lookup(host)).address, port })
    return { fd: socket.fd(), close: () => socket.close() }
  } catch (error) {
    throw explainListening(error, { host, port, setting: 'PETSTORE_HOST', advice: portAdvice })
  }
}
