import cluster from 'node:cluster'
import pg from 'pg'
import { database, sayReady } from './parts.ts'
import { setUp } from './postgres.ts'

/** Fastify 5 on PostgreSQL, in several processes as the documentation of `node:cluster` shows. */
if (cluster.isPrimary) {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await setUp((text, values) => client.query(text, values))
  await client.end()
  const count = Number(process.env.BENCH_PROCESSES)
  let listening = 0
  cluster.on('listening', (_worker, { port }) => {
    listening += 1
    if (listening === count) sayReady(port)
  })
  for (let number = 0; number < count; number++) cluster.fork()
} else {
  await import('./fastify-pg.ts')
}
