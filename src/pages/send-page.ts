import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type Compressible,
  createCompressible,
  sendCompressible,
} from '../http/response/compressible.ts'
import type { Html } from './html.ts'

export const htmlType = 'text/html; charset=utf-8'

/** A page; it is rendered again when `variant` changes. */
type Page = { path: string; variant: string; render(): Promise<Html>; scripts: Scripts }

/** What the scripts of a page may do; `requests`: send requests to this service too. */
export type Scripts = 'none' | 'run' | 'requests'
type Rendered = { variant: string; page: Promise<Compressible> }

/** Sends pages; keeps the latest variant of each as it was rendered. */
export function createPageSender() {
  const rendered = new Map<string, Rendered>()

  async function render(page: Page): Promise<Compressible> {
    const { text } = await page.render()
    // Revalidated each time: after an upgrade a browser must not mix old and new files.
    return createCompressible(Buffer.from(text), {
      contentType: htmlType,
      cacheControl: 'private, no-cache',
    })
  }

  function find(page: Page): Promise<Compressible> {
    const { path, variant } = page
    const known = rendered.get(path)
    if (known?.variant === variant) return known.page
    const rendering = render(page)
    rendered.set(path, { variant, page: rendering })
    rendering.catch(() => rendered.delete(path))
    return rendering
  }

  return async (request: FastifyRequest, reply: FastifyReply, page: Page) => {
    const found = await find(page)
    reply.headers(pageHeaders(page.scripts))
    return sendCompressible(request, reply, found)
  }
}

/** What a browser may do with a page. No page loads from elsewhere, and none may be in a frame. */
export function pageHeaders(scripts: Scripts): Record<string, string> {
  const policy = [
    "default-src 'none'",
    ...(scripts === 'none' ? [] : ["script-src 'self'"]),
    ...(scripts === 'requests' ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return { 'content-security-policy': policy.join('; '), ...assetHeaders }
}

export const assetHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}
