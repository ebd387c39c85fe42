import fastify from 'fastify'
import { sayReady } from './parts.ts'

/** One route and nothing else: what starting Fastify costs. */
const app = fastify()
app.get('/v1/pets', async () => [])
await app.listen({ host: '127.0.0.1', port: Number(process.env.BENCH_PORT ?? 0) })
sayReady((app.server.address() as { port: number }).port)
