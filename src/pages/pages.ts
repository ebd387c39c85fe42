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
  const page = (key: string, render: () => Promise<Html>, hasScript = false) =>
    function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      return sendPage(request, reply, {
        key,
        render,
        hasScript,
      })
    }

  async function sendUnrouted(
    request: FastifyRequest,
    reply: FastifyReply,
    near: readonly string[],
  ): Promise<FastifyReply> {
    const [path = '/'] = request.url.split('?', 1)
    if (path === '/') {
      const baseUrl = baseUrlOf(request)
      const frontDoor = page(`/ ${baseUrl}`, async () =>
        (await import('./front-door.ts')).frontDoor(store, baseUrl),
      )
      reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '))
      return frontDoor(request, reply)
    }
    const { notFoundPage } = await import('./not-found.ts')
    const { text } = notFoundPage(store, { path, near, requestId: request.id })
    return reply.code(404).headers(pageHeaders(false)).type(htmlType).send(text)
  }

  return {
    register(app) {
      registerAssets(app)
      const reference = async () => {
        const { referencePage } = await import('./reference/reference-page.ts')
        return referencePage(store, document(), operations)
      }
      app.get('/docs', page('/docs', reference, true))
      app.get('/docs/', (_request, reply) => reply.redirect('../docs', 308))
      app.get(
        '/guides',
        page('/guides', async () => (await import('./guides/guide-page.ts')).guidesPage(store)),
      )
      app.get('/guides/', (_request, reply) => reply.redirect('../guides', 308))
      for (const guide of guides) {
        const url = `/guides/${guide.name}`
        app.get(
          url,
          page(url, async () => (await import('./guides/guide-page.ts')).guidePage(store, guide)),
        )
      }
    },
    sendUnrouted(request, reply, near) {
      sendUnrouted(request, reply, near).catch((error: unknown) => reply.send(error))
    },
  }
}
