import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../contract/operation.ts'
import { observationOf } from './observe.ts'
import { prefersType } from './request/header-list.ts'

export type Handle = (request: FastifyRequest, reply: FastifyReply) => void

/** Handles a request by the alternative of its operation where its `Accept` prefers that. */
export function chooseByAccept(alternative: Operation, handle: Handle, other: Handle): Handle {
  const { mediaTypes: [type = ''] = [] } = alternative
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const observation = observationOf(reply.raw)
    const isOther = prefersType(request.headers.accept, type)
    if (isOther && observation) observation.operation = alternative
    if (isOther) other(request, reply)
    else handle(request, reply)
  }
}
