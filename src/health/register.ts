import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { updateReadiness } from './queries.ts'

/**
 * `GET /health/live`: the process answers. `GET /health/ready`: it takes requests and its store can
 * commit, shown by a commit that readers of this answer share; 503 otherwise.
 */
export function registerHealth(app: FastifyInstance, { db, clock }: Context): void {
  app.get('/health/live', (_request, reply) => reply.send({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    await db.write(updateReadiness, clock())
    return reply.send({ status: 'ready' })
  })
}
