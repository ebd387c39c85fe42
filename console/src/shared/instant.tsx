import { formatInstant } from '../base/format.ts'

/** An instant of the service, as the reader writes dates. */
export function Instant({ at, className }: { at: string; className?: string | undefined }) {
  return (
    <time className={className} dateTime={at}>
      {formatInstant(at)}
    </time>
  )
}
