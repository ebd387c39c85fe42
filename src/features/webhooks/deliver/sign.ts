import { createHmac } from 'node:crypto'

/** A message of a webhook: `body` is sent as it is signed. */
type Message = { id: string; body: string | Uint8Array }

/** How long the secret is that signs the messages of a webhook; Standard Webhooks allows 24 to 64. */
export const secretBytes = 32

/** A secret as receivers are given it. */
export function secretText(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`
}

/** The headers that authenticate a message, signed with each secret (Standard Webhooks 1.0). `atMs`: since 1970. */
export function signedHeaders(
  secrets: readonly Uint8Array[],
  { id, body }: Message,
  atMs: number,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(atMs / 1_000))
  const signatures = secrets.map((secret) => {
    const signed = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body)
    return `v1,${signed.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
