import { useSyncExternalStore } from 'react'
import { formatInstant } from '../base/format.ts'
import classes from './hold-countdown.module.css'

/** Under this a hold is about to expire. */
const soonMs = 5 * 60_000

/** How long the hold of an order still lasts. */
export function HoldCountdown({ expiresAt }: { expiresAt: string }) {
  const leftMs = Math.max(
    0,
    Date.parse(expiresAt) - useSyncExternalStore(subscribeToSeconds, nextSecondMs),
  )
  return (
    <time
      className={classes.countdown}
      dateTime={expiresAt}
      title={`The hold expires ${formatInstant(expiresAt)}`}
      data-soon={leftMs < soonMs || undefined}
    >
      {leftMs === 0 ? 'expires now' : `${clockText(leftMs)} left`}
    </time>
  )
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all countdowns of the page, while one is shown. */
function subscribeToSeconds(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const tick of listeners) tick()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Rounded up, so that a new countdown does not start above the length of the hold. */
function nextSecondMs(): number {
  return Math.ceil(Date.now() / 1_000) * 1_000
}

/** Such as `2 d 3 h`, `3 h 20 min` or `4:07`. */
function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  if (days > 0) return `${days} d ${hours % 24} h`
  if (hours > 0) return `${hours} h ${minutes % 60} min`
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`
}
