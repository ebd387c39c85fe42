import type { FastifyInstance } from 'fastify'
import type { Context } from '../context/context.ts'
import { ServiceError } from '../contract/service-error.ts'
import { updateReadiness } from '../features/health/queries.ts'
import type { Connections } from '../http/protocol/connections.ts'

/**
 * `GET /health/live`: the process runs. `GET /health/ready`: the process takes requests and its database commits;
 * concurrent requests share one commit. 503 otherwise, and during a stop. Both are also below `/v1`, for clients that
 * know only the base address.
 */
export function registerHealth(
  app: FastifyInstance,
  { db, clock }: Context,
  connections: Pick<Connections, 'isDraining'>,
): void {
  for (const prefix of ['', '/v1']) {
    app.get(`${prefix}/health/live`, (_request, reply) => reply.send({ status: 'live' }))
    app.get(`${prefix}/health/ready`, async (_request, reply) => {
      if (connections.isDraining()) throw stopping()
      await db.write(updateReadiness, clock())
      return reply.send({ status: 'ready' })
    })
  }
}

function stopping(): ServiceError {
  return new ServiceError('unavailable', 'This process is stopping and accepts no new clients.')
}
