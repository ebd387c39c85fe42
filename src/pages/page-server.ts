import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../contract/operation.ts'
import { prefersPage } from '../http/request/accept.ts'
import {
  type Compressible,
  createCompressible,
  sendCompressible,
} from '../http/response/compressible.ts'
import { assetHeaders, pageHeaders, type Scripts } from '../http/response/page-headers.ts'
import type { BaseUrlOf } from '../http/response/respond.ts'
import type { Pages } from '../http/server.ts'
import type { Store } from './frame.ts'
import { guides } from './guides/guides.ts'
import type { Html } from './html.ts'

export type PagesOptions = {
  store: Store
  baseUrlOf: BaseUrlOf
  /** The OpenAPI document as it is served. */
  document(): Promise<Record<string, unknown>>
  operations: readonly Operation[]
}

export type PageServer = {
  /** As `send` of `Pages`. */
  send(...call: Parameters<Pages['send']>): Promise<FastifyReply>
}

type Page = { scripts: Scripts; render(): Promise<Html> }

/** Makes each page and asset with the first request for it, and a page again when its `variant` changes. */
export function createPageServer(options: PagesOptions): PageServer {
  const { store, baseUrlOf } = options
  const pages = new Map(pagesOf(options))
  const made = new Map<string, { variant: string; body: Promise<Compressible> }>()

  function find(path: string, variant: string, make: () => Promise<Compressible>) {
    const known = made.get(path)
    if (known?.variant === variant) return known.body
    const body = make()
    made.set(path, { variant, body })
    body.catch(() => made.delete(path))
    return body
  }

  /** To a program as JSON. */
  async function sendFrontDoor(request: FastifyRequest, reply: FastifyReply) {
    const baseUrl = baseUrlOf(request)
    reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '))
    if (!prefersPage(request)) return reply.send(frontDoorLinks(store, baseUrl))
    const render = async () => (await import('./front-door.ts')).frontDoor(store, baseUrl)
    const body = await find('/', baseUrl, () => renderPage({ render }))
    return sendCompressible(request, reply.headers(pageHeaders('none')), body)
  }

  return {
    async send(request, reply, path, near) {
      if (near) {
        const { notFoundPage } = await import('./not-found.ts')
        const [sent = '/'] = request.url.split('?', 1)
        const { text } = notFoundPage(store, { path: sent, near, requestId: request.id })
        return reply.code(404).headers(pageHeaders('none')).type(htmlType).send(text)
      }
      if (path === '/') return sendFrontDoor(request, reply)
      if (path.endsWith('/')) return reply.redirect(`..${path.slice(0, -1)}`, 308)
      const page = pages.get(path)
      const body = await find(path, '', () => (page ? renderPage(page) : readAsset(path)))
      return sendCompressible(
        request,
        reply.headers(page ? pageHeaders(page.scripts) : assetHeaders),
        body,
      )
    },
  }
}

/** What a program gets at `/`: where everything is. `baseUrl` is the base address as the client knows it. */
function frontDoorLinks({ environment, hasConsole }: Store, baseUrl: string) {
  const root = baseUrl.replace(/\/v1$/, '')
  return {
    environment,
    baseUrl,
    openapi: `${root}/openapi.json`,
    docs: `${root}/docs`,
    guides: `${root}/guides`,
    ...(hasConsole ? { console: `${root}/console/` } : {}),
    live: `${root}/health/live`,
    ready: `${root}/health/ready`,
  }
}

/** What renders a page is loaded with the first request for it. */
function pagesOf({ store, document, operations }: PagesOptions): [path: string, Page][] {
  const loadGuides = () => import('./guides/guide-page.ts')
  const reference = async () => {
    const { referencePage } = await import('./reference/reference-page.ts')
    return referencePage(store, await document(), operations)
  }
  return [
    ['/docs', { scripts: 'requests', render: reference }],
    ['/guides', { scripts: 'none', render: async () => (await loadGuides()).guidesPage(store) }],
    ...guides.map((guide): [string, Page] => [
      `/guides/${guide.name}`,
      { scripts: 'run', render: async () => (await loadGuides()).guidePage(store, guide) },
    ]),
  ]
}

const htmlType = 'text/html; charset=utf-8'

/** Pages and assets are revalidated each time: after an upgrade a browser must not mix old and new files. */
async function renderPage({ render }: Pick<Page, 'render'>): Promise<Compressible> {
  const { text } = await render()
  return createCompressible(Buffer.from(text), {
    mediaType: htmlType,
    cacheControl: 'private, no-cache',
  })
}

const assetTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

async function readAsset(path: string): Promise<Compressible> {
  const isExample = path.startsWith('/guides/')
  // The console is built with the tokens too.
  const own = path === '/assets/tokens.css' ? './tokens.css' : `.${path}`
  const file = isExample ? path.replace('/guides/', '../../docs/') : own
  const mediaType = isExample ? 'text/plain; charset=utf-8' : assetTypes[extname(path)]
  if (mediaType === undefined) throw new Error(`${path} is of a type that is not sent.`)
  return createCompressible(await readFile(new URL(file, import.meta.url)), {
    mediaType,
    cacheControl: 'public, no-cache',
  })
}
