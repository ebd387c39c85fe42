import { say } from './toasts.ts'

/** Copies a text, and says so. */
export async function copyText(text: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(`${name} was copied.`)
  } catch {
    // Without HTTPS a browser gives no clipboard.
    say(`The browser does not allow to copy. ${name}: ${text}`)
  }
}
