import { describeError } from '../api/describe-error.ts'
import { createStore } from '../base/store.ts'

/** A sentence about what happened, shown for a while. */
export type Toast = {
  id: number
  text: string
  isProblem: boolean
  action?: ToastAction | undefined
}

/** What can be done about it, such as to show what was added. */
type ToastAction = { label: string; run(): void }

export const toasts = createStore<readonly Toast[]>([])

const shownMs = 5_000
const longShownMs = 15_000
const heldCheckMs = 1_000
const shownMax = 3

let lastId = 0

/** Shows what was done. */
export function showToast(text: string, action?: ToastAction): void {
  add({ text, isProblem: false, action })
}

/** Shows what went wrong. */
export function showProblem(text: string, action?: ToastAction): void {
  add({ text, isProblem: true, action })
}

/** Does something, and shows the sentence that it resolves to, or what went wrong. */
export async function showOutcome(run: () => Promise<string>, action?: ToastAction): Promise<void> {
  try {
    showToast(await run(), action)
  } catch (error) {
    showProblem(describeError(error))
  }
}

export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}

let isHeld = () => false

/** No message goes, and nothing that waits is sent, while this holds, such as while somebody points at the messages. */
export function holdMessagesWhile(holds: () => boolean): void {
  isHeld = holds
}

export function areMessagesHeld(): boolean {
  return isHeld()
}

function add(toast: Omit<Toast, 'id'>): void {
  lastId += 1
  const id = lastId
  toasts.set([...toasts.get(), { id, ...toast }].slice(-shownMax))
  // Time to read it, or to act.
  const isLong = toast.isProblem || toast.action !== undefined
  setTimeout(() => expire(id), isLong ? longShownMs : shownMs)
}

function expire(id: number): void {
  if (isHeld()) setTimeout(() => expire(id), heldCheckMs)
  else dismiss(id)
}
