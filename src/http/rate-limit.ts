import type { FastifyReply } from 'fastify'
import { type Quota, requestsLeft, takeRequest } from '../context/quota.ts'
import { ServiceError } from '../contract/service-error.ts'

/** Takes a request from the quota of a key, and tells the client what is left. Throws `rate_limited`. */
export function checkRate(quota: Quota, nowMs: number, reply: FastifyReply): void {
  const { perSecond, burst } = quota
  const isTaken = takeRequest(quota, nowMs)
  reply.header('ratelimit-policy', `"key";q=${burst};w=${Math.ceil(burst / perSecond)}`)
  // Every quota has a further request within a second.
  reply.header('ratelimit', `"key";r=${requestsLeft(quota)};t=1`)
  if (isTaken) return
  throw new ServiceError(
    'rate_limited',
    `This API key may send ${perSecond} requests per second, ${burst} at once. Wait for a second, or ask the operator of the store for a higher limit.`,
  )
}
