import { describeError } from '../api/describe-error.ts'
import { session } from '../api/session.ts'
import { createStore } from '../base/store.ts'
import { areMessagesHeld, showProblem, showToast } from './toasts.ts'

type DelayedRequest = {
  /** Names what it is done to. */
  id: string
  /** What it does, such as `Withdraw`. */
  verb: string
  /** To what: text that somebody else wrote. */
  name: string
  /** What is said once it is done. */
  done: string | (() => string)
  send(): Promise<unknown>
}

/** A request that is sent in a few seconds, unless it is undone before. */
export type DelayedAction = DelayedRequest & { remainingMs: number; isSending: boolean }

export const delayedActions = createStore<readonly DelayedAction[]>([])

const delayMs = 6_000
const tickMs = 250

let timer: ReturnType<typeof setInterval> | undefined
let lastTickMs = 0

/** Does something after six seconds in which it can be undone. */
export function delay(request: DelayedRequest): void {
  const others = delayedActions.get()
  if (others.some(({ id }) => id === request.id)) return
  delayedActions.set([...others, { ...request, remainingMs: delayMs, isSending: false }])
  if (timer !== undefined) return
  lastTickMs = performance.now()
  timer = setInterval(tick, tickMs)
  for (const type of ends) addEventListener(type, sendAllDelayed)
}

/** Sends it without waiting any longer. Resolves to whether it was done. */
export async function sendDelayed(id: string): Promise<boolean> {
  const action = delayedActions.get().find((action) => action.id === id)
  if (action === undefined || action.isSending) return false
  change(id, { isSending: true })
  try {
    await action.send()
    showToast(typeof action.done === 'string' ? action.done : action.done())
    return true
  } catch (error) {
    showProblem(describeError(error))
    return false
  } finally {
    undoDelayed(id)
  }
}

/** Sends all that waits. Resolves to whether all of it was done. */
export async function sendAllDelayed(): Promise<boolean> {
  const waiting = delayedActions.get().filter(({ isSending }) => !isSending)
  if (!hasKey()) return waiting.length === 0
  const done = await Promise.all(waiting.map(({ id }) => sendDelayed(id)))
  return done.every((isDone) => isDone)
}

/** What the browser tells a page that is closed, or put aside and perhaps never shown again. */
const ends = ['pagehide', 'freeze'] as const

function tick(): void {
  const passedMs = performance.now() - lastTickMs
  lastTickMs += passedMs
  if (areMessagesHeld() || !hasKey()) return
  for (const { id, isSending, remainingMs } of delayedActions.get()) {
    if (isSending) continue
    if (remainingMs <= passedMs) void sendDelayed(id)
    else change(id, { remainingMs: remainingMs - passedMs })
  }
}

/** Without a key nothing can be sent. */
function hasKey(): boolean {
  const current = session.get()
  return current !== undefined && current.endedBecause === undefined
}

function change(id: string, changes: Partial<DelayedAction>): void {
  const actions = delayedActions.get()
  delayedActions.set(actions.map((one) => (one.id === id ? { ...one, ...changes } : one)))
}

/** Removes a waiting action, which is then never sent. */
export function undoDelayed(id: string): void {
  delayedActions.set(delayedActions.get().filter((action) => action.id !== id))
  if (delayedActions.get().length > 0) return
  clearInterval(timer)
  timer = undefined
  for (const type of ends) removeEventListener(type, sendAllDelayed)
}
