import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Compressible,
  createCompressible,
  sendCompressible,
} from '../http/response/compressible.ts'
import { type DocsOf, getKeySection } from './get-key.ts'

/**
 * Serves the reference page at `/docs`: the OpenAPI document in Swagger UI, whose panel calls the
 * server that served the page. Needs no key and loads nothing from elsewhere. `documentUrl` is
 * resolved against `/docs`; a relative one survives a proxy that adds a path prefix.
 */
export function registerDocs(
  app: FastifyInstance,
  { documentUrl, ...docsOf }: DocsOf & { documentUrl: string },
): void {
  const page = lazyFile({
    url: new URL('page/index.html', import.meta.url),
    contentType: 'text/html; charset=utf-8',
    edit: (html) =>
      html.replaceAll('{{documentUrl}}', documentUrl).replace('{{getKey}}', getKeySection(docsOf)),
  })

  app.get('/docs', (request, reply) =>
    sendFile(
      request,
      reply.headers({ 'content-security-policy': pageContentSecurityPolicy }),
      page,
    ),
  )
  app.get('/docs/', (_request, reply) => reply.redirect('../docs', 308))

  for (const [name, asset] of Object.entries(assets())) {
    app.get(`/docs/${name}`, (request, reply) => sendFile(request, reply, asset))
  }
}

const pageContentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:", // The icons in Swagger UI's style sheet are data addresses.
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** All files that the page loads; other names are 404. */
function assets(): Record<string, () => Promise<Compressible>> {
  const ours = (name: string) => new URL(`page/${name}`, import.meta.url)
  const theirs = (name: string) => new URL(import.meta.resolve(`swagger-ui-dist/${name}`))
  const script = 'text/javascript; charset=utf-8'
  const style = 'text/css; charset=utf-8'

  return {
    'swagger-ui-bundle.js': lazyFile({ url: theirs('swagger-ui-bundle.js'), contentType: script }),
    'swagger-ui.css': lazyFile({ url: theirs('swagger-ui.css'), contentType: style }),
    'init.js': lazyFile({ url: ours('init.js'), contentType: script }),
    'style.css': lazyFile({ url: ours('style.css'), contentType: style }),
    'reference.css': lazyFile({ url: ours('reference.css'), contentType: style }),
    'icon.svg': lazyFile({ url: ours('icon.svg'), contentType: 'image/svg+xml' }),
  }
}

interface FileSource {
  url: URL
  contentType: string
  edit?: (text: string) => string
}

/** Reads the file on the first request and caches it: a start should not load 1.7 MB. */
function lazyFile(source: FileSource): () => Promise<Compressible> {
  let file: Promise<Compressible> | undefined
  return () => {
    file ??= loadFile(source).catch((error: unknown) => {
      file = undefined
      throw error
    })
    return file
  }
}

async function loadFile({ url, contentType, edit = (text) => text }: FileSource) {
  const body = Buffer.from(edit(await readFile(url, 'utf8')))
  // Always revalidated: after an upgrade a browser must not mix old and new files.
  return createCompressible(body, { contentType, cacheControl: 'public, no-cache' })
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  load: () => Promise<Compressible>,
): Promise<FastifyReply> {
  const file = await load()
  reply.headers({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  })
  return sendCompressible(request, reply, file)
}
