/** An unused key of random digits. `crypto.randomUUID` is missing where the page comes without HTTPS. */
export function newIdempotencyKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
