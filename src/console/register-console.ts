import type { FastifyInstance } from 'fastify'
import type { ConsoleOptions } from './console-server.ts'

/**
 * Serves the console below `/console/`: the files of its last build and no others. A path without an extension is a page
 * of the console, which its script shows. Until there is a build, each page says that it is not built yet. What serves it is
 * loaded with the first request: a service starts as fast as without it.
 */
export function registerConsole(app: FastifyInstance, options: ConsoleOptions): void {
  let loading: Promise<ReturnType<typeof import('./console-server.ts')['createConsoleServer']>>
  async function load() {
    loading ??= import('./console-server.ts').then(({ createConsoleServer }) =>
      createConsoleServer(options),
    )
    return loading
  }

  app.get('/console', (_request, reply) => reply.redirect('console/', 308))
  app.get('/console/*', async (request, reply) => {
    const { '*': path } = request.params as { '*': string }
    const send = await load()
    return send(path, request, reply)
  })
}
