import { describeError } from '../api/describe-error.ts'
import { session } from '../session/session.ts'
import { createStore } from './store.ts'
import { say, sayProblem } from './toasts.ts'

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

type Order = Pick<DelayedAction, 'id' | 'verb' | 'name'> & {
  /** What is said once it is done. */
  done: string
  send(): Promise<unknown>
  /** It was undone, or it failed. */
  onUndone?(): void
}

export const delayedActions = createStore<readonly DelayedAction[]>([])

const delayMs = 6_000
const tickMs = 250

const orders = new Map<string, Order>()
let isPaused = false
let timer: ReturnType<typeof setInterval> | undefined

/** Does something after six seconds in which it can be undone. */
export function delay(order: Order): void {
  if (orders.has(order.id)) return
  orders.set(order.id, order)
  const { id, verb, name } = order
  set([...delayedActions.get(), { id, verb, name, remainingMs: delayMs, state: 'waiting' }])
  timer ??= setInterval(tick, tickMs)
  addEventListener('beforeunload', warnOfUnsent)
}

/** While somebody points at them, nothing is sent. */
export function pauseDelayed(isNowPaused: boolean): void {
  isPaused = isNowPaused
}

export function undoDelayed(id: string): void {
  orders.get(id)?.onUndone?.()
  forget(id)
}

export async function sendDelayed(id: string): Promise<void> {
  const order = orders.get(id)
  if (order === undefined || find(id)?.state !== 'waiting') return
  change(id, { state: 'sending' })
  try {
    await order.send()
    say(order.done)
  } catch (error) {
    sayProblem(describeError(error))
    order.onUndone?.()
  }
  forget(id)
}

function tick(): void {
  // Without a key nothing can be sent.
  if (isPaused || session.get() === undefined || session.get()?.endedBecause !== undefined) return
  for (const { id, state, remainingMs } of delayedActions.get()) {
    if (state !== 'waiting') continue
    if (remainingMs <= tickMs) void sendDelayed(id)
    else change(id, { remainingMs: remainingMs - tickMs })
  }
}

function find(id: string): DelayedAction | undefined {
  return delayedActions.get().find((action) => action.id === id)
}

function change(id: string, changes: Partial<DelayedAction>): void {
  set(delayedActions.get().map((action) => (action.id === id ? { ...action, ...changes } : action)))
}

function forget(id: string): void {
  orders.delete(id)
  set(delayedActions.get().filter((action) => action.id !== id))
  if (orders.size > 0) return
  clearInterval(timer)
  timer = undefined
  isPaused = false
  removeEventListener('beforeunload', warnOfUnsent)
}

function set(actions: readonly DelayedAction[]): void {
  delayedActions.set(actions)
}

/** The browser asks whether to leave. */
function warnOfUnsent(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
