import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type Compressible,
  createCompressible,
  sendCompressible,
} from '../http/response/compressible.ts'
import { assetHeaders } from './send-page.ts'

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Sends a file that pages load, by its name; each is read on the first request for it. */
export function createAssetSender() {
  const files = new Map<string, Promise<Compressible>>()

  function load(name: string): Promise<Compressible> {
    const known = files.get(name)
    if (known) return known
    const file = read(name)
    files.set(name, file)
    file.catch(() => files.delete(name))
    return file
  }

  return async (name: string, request: FastifyRequest, reply: FastifyReply) => {
    const file = await load(name)
    return sendCompressible(request, reply.headers(assetHeaders), file)
  }
}

async function read(name: string): Promise<Compressible> {
  // The console is built with the tokens too.
  const folder = name === 'tokens.css' ? '' : 'assets/'
  const contentType = contentTypes[extname(name)]
  if (contentType === undefined) throw new Error(`${name} is of a type that is not sent.`)
  // Always revalidated: after an upgrade a browser must not mix old and new files.
  return createCompressible(await readFile(new URL(`${folder}${name}`, import.meta.url)), {
    contentType,
    cacheControl: 'public, no-cache',
  })
}
