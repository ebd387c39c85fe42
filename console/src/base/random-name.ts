/** A name that nobody else has, for idempotency keys. `crypto.randomUUID` is missing where the page comes without HTTPS. */
export function randomName(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
