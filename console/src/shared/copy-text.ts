import { showToast } from './toasts.ts'

/** Copies a text, and says so. */
export async function copyText(text: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast(`${name} copied.`)
  } catch {
    // Without HTTPS a browser gives no clipboard.
    showToast(`The browser blocked copying. ${name}: ${text}`)
  }
}
