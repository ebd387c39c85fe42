import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../contract/operation.ts'
import { prefersPage } from '../http/request/prefers-page.ts'
import type { BaseUrlOf } from '../http/response/respond.ts'
import { createAssetSender } from './assets.ts'
import type { Store } from './frame.ts'
import { frontDoorLinks } from './front-door-links.ts'
import type { Guide } from './guides/guides.ts'
import type { Html } from './html.ts'
import { createPageSender, htmlType, pageHeaders, type Scripts } from './send-page.ts'

export type PagesOptions = {
  store: Store
  baseUrlOf: BaseUrlOf
  /** The OpenAPI document as it is served. */
  document(): Record<string, unknown>
  operations: readonly Operation[]
}

type Send = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Sends the pages and what they load. What renders a page is loaded with the first request for it. */
export type PageServer = {
  sendAsset(name: string, ...call: Parameters<Send>): Promise<FastifyReply>
  sendReference: Send
  sendGuides: Send
  sendGuide(guide: Guide, ...call: Parameters<Send>): Promise<FastifyReply>
  /** The front door at `/`, to a program as JSON; elsewhere the page of a 404. */
  sendUnrouted(
    request: FastifyRequest,
    reply: FastifyReply,
    near: readonly string[],
  ): Promise<FastifyReply>
}

export function createPageServer(options: PagesOptions): PageServer {
  const { store, baseUrlOf, document, operations } = options
  const sendPage = createPageSender()
  const loadGuides = () => import('./guides/guide-page.ts')
  const send = (
    [request, reply]: Parameters<Send>,
    page: { path: string; scripts: Scripts; render: () => Promise<Html> },
  ) => sendPage(request, reply, { ...page, variant: '' })

  return {
    sendAsset: createAssetSender(),
    sendReference: (...call) =>
      send(call, {
        path: '/docs',
        scripts: 'requests',
        async render() {
          const { referencePage } = await import('./reference/reference-page.ts')
          return referencePage(store, document(), operations)
        },
      }),
    sendGuides: (...call) =>
      send(call, {
        path: '/guides',
        scripts: 'none',
        render: async () => (await loadGuides()).guidesPage(store),
      }),
    sendGuide: (guide, ...call) =>
      send(call, {
        path: `/guides/${guide.name}`,
        scripts: 'run',
        render: async () => (await loadGuides()).guidePage(store, guide),
      }),
    async sendUnrouted(request, reply, near) {
      const [path = '/'] = request.url.split('?', 1)
      if (path === '/') {
        const baseUrl = baseUrlOf(request)
        reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '))
        if (!prefersPage(request)) return reply.send(frontDoorLinks(store, baseUrl))
        return sendPage(request, reply, {
          path,
          variant: baseUrl,
          render: async () => (await import('./front-door.ts')).frontDoor(store, baseUrl),
          scripts: 'none',
        })
      }
      const { notFoundPage } = await import('./not-found.ts')
      const { text } = notFoundPage(store, { path, near, requestId: request.id })
      return reply.code(404).headers(pageHeaders('none')).type(htmlType).send(text)
    },
  }
}
