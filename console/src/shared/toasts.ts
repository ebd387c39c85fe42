import { createStore } from './store.ts'

/** A sentence about what happened, shown for a while. */
export type Toast = { id: number; text: string; isProblem: boolean }

export const toasts = createStore<readonly Toast[]>([])

const shownMs = 5_000
const problemShownMs = 15_000
const shownMax = 3

let lastId = 0

/** Says what was done. */
export function say(text: string): void {
  add(text, false)
}

/** Says what went wrong. */
export function sayProblem(text: string): void {
  add(text, true)
}

export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}

function add(text: string, isProblem: boolean): void {
  lastId += 1
  const id = lastId
  toasts.set([...toasts.get(), { id, text, isProblem }].slice(-shownMax))
  setTimeout(() => dismiss(id), isProblem ? problemShownMs : shownMs)
}
