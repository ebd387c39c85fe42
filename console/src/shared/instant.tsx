import { useSyncExternalStore } from 'react'
import { formatFromNow, formatInstant, formatPast } from '../base/format.ts'

type Props = {
  at: string
  className?: string | undefined
  /** Such as `Hold ends`: in front of an instant that is still to come. */
  ahead?: string
}

/** An instant of the service in one short line; the whole of it on hover, and for screen readers. */
export function Instant({ at, className, ahead }: Props) {
  const nowMs = useSyncExternalStore(subscribe, now)
  const whole = formatInstant(at)
  const short = ahead === undefined ? formatPast(at, nowMs) : `${ahead} ${formatFromNow(at, nowMs)}`
  return (
    <time className={className} dateTime={at} title={whole}>
      {short}
      <span className="only-heard">, {whole}</span>
    </time>
  )
}

const stepMs = 10_000

/** One snapshot for all instants of the page, so that they agree. */
function now(): number {
  return Math.floor(Date.now() / stepMs) * stepMs
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, stepMs)
  return () => clearInterval(timer)
}
