import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import {
  type Compressible,
  createCompressible,
  sendCompressible,
} from '../http/response/compressible.ts'
import { assetHeaders } from './send-page.ts'

const style = 'text/css; charset=utf-8'

/** All files that pages load, at `/assets/NAME`; other names are 404. */
const assets = [
  { name: 'tokens.css', url: new URL('tokens.css', import.meta.url), contentType: style },
  ...['frame.css', 'front-door.css', 'guide.css', 'reference.css'].map((name) => ({
    name,
    url: new URL(`assets/${name}`, import.meta.url),
    contentType: style,
  })),
  ...['reference.js', 'json.js'].map((name) => ({
    name,
    url: new URL(`assets/${name}`, import.meta.url),
    contentType: 'text/javascript; charset=utf-8',
  })),
  {
    name: 'icon.svg',
    url: new URL('assets/icon.svg', import.meta.url),
    contentType: 'image/svg+xml',
  },
]

export function registerAssets(app: FastifyInstance): void {
  for (const asset of assets) {
    const load = lazyFile(asset)
    app.get(`/assets/${asset.name}`, async (request, reply) => {
      const file = await load()
      return sendCompressible(request, reply.headers(assetHeaders), file)
    })
  }
}

/** Reads the file on the first request, and caches it. */
function lazyFile({ url, contentType }: { url: URL; contentType: string }) {
  let file: Promise<Compressible> | undefined
  const read = async () =>
    // Always revalidated: after an upgrade a browser must not mix old and new files.
    createCompressible(await readFile(url), { contentType, cacheControl: 'public, no-cache' })
  return () => {
    file ??= read().catch((error: unknown) => {
      file = undefined
      throw error
    })
    return file
  }
}
