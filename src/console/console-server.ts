import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../config/settings.ts'
import { pathNotFound } from '../http/paths.ts'
import {
  type Compressible,
  createCompressible,
  sendCompressible,
} from '../http/response/compressible.ts'
import { pageHeaders } from '../http/response/page-headers.ts'
import { createBuiltConsole } from './built-console.ts'

export type ConsoleOptions = {
  environment: Environment
  /** Builds the console unless there is a build of this version; undefined where this process does not. */
  build: (() => Promise<void>) | undefined
  /** Where `console/build.js` writes. */
  folder?: URL
}

const distFolder = new URL('../../console/dist/', import.meta.url)

/** Sends what is at a path below `/console/`. Throws `not_found`. */
export function createConsoleServer({ environment, build, folder = distFolder }: ConsoleOptions) {
  const built = createBuiltConsole(folder, environment)
  let isStarted = false

  return async (path: string, request: FastifyRequest, reply: FastifyReply) => {
    if (isPage(path) && build && !isStarted && isFromHere(request)) {
      isStarted = true
      await build()
    }
    const found = isPage(path) ? await built.findPage() : await built.findFile(path)
    const file = found ?? (await readPending(isPage(path) ? 'pending.html' : path, isStarted))
    if (file === undefined) throw pathNotFound(['/console/'])
    return sendCompressible(request, reply.headers(headers), file)
  }
}

/** Pages are one level deep: what they load is named relative to them, so that a proxy may add a path in front. */
function isPage(path: string): boolean {
  return /^[\w-]*$/.test(path)
}

const loopback = /^(?:(?:::ffff:)?127\.[\d.]+|\[?::1\]?|localhost)$/
const forwarded = /^(?:x-)?forwarded|^x-real-ip$|^via$/

/** Whether somebody on this machine opens the page, and no proxy on it for somebody else. */
function isFromHere({ headers, socket }: FastifyRequest): boolean {
  const host = headers.host?.replace(/:\d+$/, '') ?? ''
  const isForwarded = Object.keys(headers).some((name) => forwarded.test(name))
  return loopback.test(socket.remoteAddress ?? '') && loopback.test(host) && !isForwarded
}

const headers = { ...pageHeaders('requests'), 'cross-origin-resource-policy': 'same-origin' }

const pendingTypes: Readonly<Record<string, string>> = {
  'pending.html': 'text/html; charset=utf-8',
  'pending.js': 'text/javascript; charset=utf-8',
}

/** The page that stands in for the console, or what it loads. Each is read for its request. */
async function readPending(name: string, isBuilding: boolean): Promise<Compressible | undefined> {
  const mediaType = pendingTypes[name]
  if (mediaType === undefined) return undefined
  const text = await readFile(new URL(`page/${name}`, import.meta.url), 'utf8')
  const body = text.replace('{{state}}', isBuilding ? beingBuilt : notBuilt)
  return createCompressible(Buffer.from(body), { mediaType, cacheControl: 'no-store' })
}

const beingBuilt = `<p>It is built when it is first opened, once per version, in about half a minute. The first build fetches 100 MB of
        packages. This page reloads until it is ready.</p>
      <p>If it does not appear, see <code>console/build.log</code>.</p>`

const notBuilt = `<p>This request does not start its build. In the folder of the service, run</p>
      <p><code>npm run build:console</code></p>
      <p>This page reloads until it is ready.</p>`
