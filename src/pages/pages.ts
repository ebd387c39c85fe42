import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SendPage } from '../http/server.ts'
import { guides } from './guides/guides.ts'
import type { PageServer, PagesOptions } from './page-server.ts'

type Pages = {
  register(app: FastifyInstance): void
  sendUnrouted: SendPage
}

/** All files that pages load, at `/assets/NAME`; other names are 404. */
const assetNames = [
  'tokens.css',
  'frame.css',
  'front-door.css',
  'guide.css',
  'guide.js',
  'copy.js',
  'reference.css',
  'reference.js',
  'json.js',
  'icon.svg',
]

/**
 * The pages for people: the front door at `/`, the reference at `/docs`, the guides, and the page for an address that
 * leads nowhere. They need no key, load nothing from elsewhere, and only the reference and the guides have a script. All that serves
 * them is loaded with the first request for one: a service starts as fast as without them.
 */
export function createPages(options: PagesOptions): Pages {
  let loading: Promise<PageServer> | undefined
  async function load(): Promise<PageServer> {
    loading ??= import('./page-server.ts').then(({ createPageServer }) => createPageServer(options))
    return loading
  }

  return {
    register(app) {
      const serve = (
        path: string,
        send: (
          server: PageServer,
          request: FastifyRequest,
          reply: FastifyReply,
        ) => Promise<FastifyReply>,
      ) => app.get(path, async (request, reply) => send(await load(), request, reply))

      for (const name of assetNames) {
        serve(`/assets/${name}`, (server, ...call) => server.sendAsset(name, ...call))
      }
      serve('/docs', (server, ...call) => server.sendReference(...call))
      serve('/guides', (server, ...call) => server.sendGuides(...call))
      for (const guide of guides) {
        serve(`/guides/${guide.name}`, (server, ...call) => server.sendGuide(guide, ...call))
      }
      app.get('/docs/', (_request, reply) => reply.redirect('../docs', 308))
      app.get('/guides/', (_request, reply) => reply.redirect('../guides', 308))
    },
    sendUnrouted(request, reply, near) {
      load()
        .then((server) => server.sendUnrouted(request, reply, near))
        .catch((error: unknown) => reply.send(error))
    },
  }
}
