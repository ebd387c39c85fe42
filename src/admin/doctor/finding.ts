/** `error` where data or the service is at risk now, `warning` where it may be later. */
export type Level = 'ok' | 'warning' | 'error'

/** What a check found: a sentence, and for what is wrong a second one with what to do. */
export type Finding = { check: string; level: Level; message: string }

export const ok = (check: string, message: string): Finding => ({ check, level: 'ok', message })

export const warning = (check: string, message: string): Finding => ({
  check,
  level: 'warning',
  message,
})

export const error = (check: string, message: string): Finding => ({
  check,
  level: 'error',
  message,
})
