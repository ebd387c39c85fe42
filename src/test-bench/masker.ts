import { maskKeys } from '../features/keys/mask-keys.ts'

const rememberedMax = 1_000
const rememberedLengthMax = 256

/**
 * Masks keys in the targets and headers of requests: `secret` is the `Authorization` that came with a text. It remembers texts
 * without a key, since most headers repeat.
 */
export function createMasker(): (text: string, secret: string | undefined) => string {
  let lastSecret: string | undefined
  const harmless = new Set<string>()

  return (text, secret) => {
    // A text is harmless beside one secret only.
    if (secret !== lastSecret || harmless.size >= rememberedMax) harmless.clear()
    lastSecret = secret
    if (harmless.has(text)) return text
    const masked = maskKeys(text, secret)
    if (masked === text && text.length <= rememberedLengthMax) harmless.add(text)
    return masked
  }
}
