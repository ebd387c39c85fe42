import { say } from './toasts.ts'

/** Copies a text, and says so. */
export async function copyText(text: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(`${name} copied.`)
  } catch {
    // Without HTTPS a browser gives no clipboard.
    say(`The browser blocked copying. ${name}: ${text}`)
  }
}
