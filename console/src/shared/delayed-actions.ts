import { describeError } from '../api/describe-error.ts'
import { session } from '../api/session.ts'
import { createStore } from '../base/store.ts'
import { areMessagesHeld, showProblem, showToast } from './toasts.ts'

/** Something that is done in a few seconds, unless it is undone before. */
export type DelayedAction = {
  /** Names what it is done to. */
  id: string
  /** What it does, such as `Withdraw`. */
  verb: string
  /** To what: text that somebody else wrote. */
  name: string
  remainingMs: number
  state: 'waiting' | 'sending'
}

type DelayedRequest = Pick<DelayedAction, 'id' | 'verb' | 'name'> & {
  /** What is said once it is done. */
  done: string | (() => string)
  send(): Promise<unknown>
  /** It was undone, or it failed. */
  onUndone?(): void
}

export const delayedActions = createStore<readonly DelayedAction[]>([])

const delayMs = 6_000
const tickMs = 250

const requests = new Map<string, DelayedRequest>()
let timer: ReturnType<typeof setInterval> | undefined
let lastTickMs = 0

/** Does something after six seconds in which it can be undone. */
export function delay(request: DelayedRequest): void {
  if (requests.has(request.id)) return
  requests.set(request.id, request)
  const { id, verb, name } = request
  set([...delayedActions.get(), { id, verb, name, remainingMs: delayMs, state: 'waiting' }])
  if (timer !== undefined) return
  lastTickMs = performance.now()
  timer = setInterval(tick, tickMs)
  for (const type of ends) addEventListener(type, sendAllDelayed)
}

export function undoDelayed(id: string): void {
  requests.get(id)?.onUndone?.()
  forget(id)
}

/** Sends it without waiting any longer. Resolves to whether it was done. */
export async function sendDelayed(id: string): Promise<boolean> {
  const request = requests.get(id)
  if (request === undefined || find(id)?.state !== 'waiting') return false
  change(id, { state: 'sending' })
  try {
    await request.send()
    showToast(typeof request.done === 'string' ? request.done : request.done())
    return true
  } catch (error) {
    showProblem(describeError(error))
    request.onUndone?.()
    return false
  } finally {
    forget(id)
  }
}

/** Sends all that waits. Resolves to whether all of it was done. */
export async function sendAllDelayed(): Promise<boolean> {
  const waiting = delayedActions.get().filter(({ state }) => state === 'waiting')
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
  for (const { id, state, remainingMs } of delayedActions.get()) {
    if (state !== 'waiting') continue
    if (remainingMs <= passedMs) void sendDelayed(id)
    else change(id, { remainingMs: remainingMs - passedMs })
  }
}

/** Without a key nothing can be sent. */
function hasKey(): boolean {
  const current = session.get()
  return current !== undefined && current.endedBecause === undefined
}

function find(id: string): DelayedAction | undefined {
  return delayedActions.get().find((action) => action.id === id)
}

function change(id: string, changes: Partial<DelayedAction>): void {
  set(delayedActions.get().map((action) => (action.id === id ? { ...action, ...changes } : action)))
}

function forget(id: string): void {
  requests.delete(id)
  set(delayedActions.get().filter((action) => action.id !== id))
  if (requests.size > 0) return
  clearInterval(timer)
  timer = undefined
  for (const type of ends) removeEventListener(type, sendAllDelayed)
}

function set(actions: readonly DelayedAction[]): void {
  delayedActions.set(actions)
}
