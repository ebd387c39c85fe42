import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../contract/operation.ts'
import type { BaseUrlOf } from '../http/response/respond.ts'
import type { SendPage } from '../http/server.ts'
import { registerAssets } from './assets.ts'
import type { Store } from './frame.ts'
import { guides } from './guides/guides.ts'
import type { Html } from './html.ts'
import { createPageSender, htmlType, pageHeaders } from './send-page.ts'

type Pages = {
  register(app: FastifyInstance): void
  sendUnrouted: SendPage
}

type PagesOptions = {
  store: Store
  baseUrlOf: BaseUrlOf
  /** The OpenAPI document as it is served. */
  document(): Record<string, unknown>
  operations: readonly Operation[]
}

/**
 * The pages for people: the front door at `/`, the reference at `/docs`, the guides, and the page for an address that
 * leads nowhere. They need no key, load nothing from elsewhere, and only the reference has a script. What renders them
 * is loaded with the first request for one.
 */
export function createPages({ store, baseUrlOf, document, operations }: PagesOptions): Pages {
  const sendPage = createPageSender()
  const loadGuides = () => import('./guides/guide-page.ts')

  async function sendUnrouted(
    request: FastifyRequest,
    reply: FastifyReply,
    near: readonly string[],
  ): Promise<FastifyReply> {
    const [path = '/'] = request.url.split('?', 1)
    if (path === '/') {
      const baseUrl = baseUrlOf(request)
      reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '))
      return sendPage(request, reply, {
        path,
        variant: baseUrl,
        render: async () => (await import('./front-door.ts')).frontDoor(store, baseUrl),
        hasScript: false,
      })
    }
    const { notFoundPage } = await import('./not-found.ts')
    const { text } = notFoundPage(store, { path, near, requestId: request.id })
    return reply.code(404).headers(pageHeaders(false)).type(htmlType).send(text)
  }

  return {
    register(app) {
      const serve = (path: string, render: () => Promise<Html>, hasScript = false) =>
        app.get(path, (request, reply) =>
          sendPage(request, reply, { path, variant: '', render, hasScript }),
        )

      registerAssets(app)
      serve(
        '/docs',
        async () => {
          const { referencePage } = await import('./reference/reference-page.ts')
          return referencePage(store, document(), operations)
        },
        true,
      )
      serve('/guides', async () => (await loadGuides()).guidesPage(store))
      for (const guide of guides) {
        serve(`/guides/${guide.name}`, async () => (await loadGuides()).guidePage(store, guide))
      }
      app.get('/docs/', (_request, reply) => reply.redirect('../docs', 308))
      app.get('/guides/', (_request, reply) => reply.redirect('../guides', 308))
    },
    sendUnrouted(request, reply, near) {
      sendUnrouted(request, reply, near).catch((error: unknown) => reply.send(error))
    },
  }
}
