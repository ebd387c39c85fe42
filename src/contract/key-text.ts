/** Whether a text begins as an API key does, after white space. */
export function startsLikeKey(text: string): boolean {
  return /^\s*pet_(?:live|test)_/i.test(text)
}

/** A text without the API keys in it. */
export function maskKeys(text: string): string {
  return text.replace(/pet_(?:live|test)_\w+/gi, '…')
}
