import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { weightsOf } from '../request/header-list.ts'
import { isKnown } from './entity-tag.ts'
import { sendNotModified } from './not-modified.ts'

const compress = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
  identity: async (body: Buffer) => body,
}
type Coding = keyof typeof compress

/** Of codings with equal weight, the first is sent. */
const codings = ['br', 'gzip', 'identity'] as const satisfies Coding[]

type Representation = { body: Buffer; tag: string }

/** A constant body; each coding is made on first use and cached. */
export type Compressible = {
  contentType: string
  cacheControl: string
  representation(coding: Coding): Promise<Representation>
}

/** Each coding has its own strong entity tag (RFC 9110, section 8.8.3). */
export function createCompressible(
  body: Buffer,
  { contentType, cacheControl }: Pick<Compressible, 'contentType' | 'cacheControl'>,
): Compressible {
  const tag = hash('sha256', body, 'base64url').slice(0, 22)
  const made = new Map<Coding, Promise<Representation>>()
  return {
    contentType,
    cacheControl,
    representation(coding) {
      const known = made.get(coding)
      if (known) return known
      const suffix = coding === 'identity' ? '' : `-${coding}`
      const making = compress[coding](body).then((coded) => ({
        body: coded,
        tag: `"${tag}${suffix}"`,
      }))
      made.set(coding, making)
      return making
    },
  }
}

/** Sends a body in the client's preferred coding (RFC 9110, section 12.5.3), or 304. */
export async function sendCompressible(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, cacheControl, representation }: Compressible,
): Promise<FastifyReply> {
  const coding = codingFor(request.headers['accept-encoding'])
  const { body, tag } = await representation(coding)
  const vary = reply.getHeader('vary')
  reply.headers({
    'cache-control': cacheControl,
    etag: tag,
    vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`,
  })
  const { 'if-none-match': known } = request.headers
  if (known !== undefined && isKnown(known, tag)) {
    sendNotModified(request, reply)
    return reply
  }
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.type(contentType).send(body)
}

function codingFor(acceptEncoding: string | string[] | undefined): Coding {
  if (acceptEncoding === undefined) return 'identity'
  const weights = weightsOf(String(acceptEncoding))
  const others = weights.get('*') ?? 0
  let best: Coding = 'identity'
  let highest = 0
  for (const coding of codings) {
    // Identity is acceptable unless excluded, and comes last where it is not named.
    const weight = weights.get(coding) ?? (coding === 'identity' ? Number.MIN_VALUE : others)
    if (weight > highest) [best, highest] = [coding, weight]
  }
  return best
}
