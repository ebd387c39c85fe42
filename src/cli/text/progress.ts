import type { OnProgress, Progress } from '../../admin/progress.ts'
import { systemClock } from '../../context/context.ts'
import { numberOf } from './print.ts'

const barWidthMax = 40
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Shows a text on one line of the terminal, in place of what was there; nothing without a terminal. */
function showLine(text: string): void {
  // The cursor returns to the start, so that the next output overwrites the line however the program ends.
  if (process.stderr.isTTY) process.stderr.write(`\r${text}\x1b[K\r`)
}

/**
 * Runs work with a progress bar for each of its parts. A signal ends the process after `cleanUp`, which returns the last message.
 */
export async function withProgress<T>(
  work: (onProgress: OnProgress) => Promise<T>,
  cleanUp?: () => string,
): Promise<T> {
  const end = (signal: NodeJS.Signals) => {
    for (const one of signals) process.off(one, end)
    showLine('')
    process.stderr.write(`${cleanUp?.()}\n`)
    process.kill(process.pid, signal)
  }
  if (cleanUp) for (const signal of signals) process.on(signal, end)
  try {
    return await work(createProgressBar())
  } finally {
    for (const signal of signals) process.off(signal, end)
    showLine('')
  }
}

function createProgressBar(): OnProgress {
  let part = { unit: '', done: 0, startMs: 0 }
  return (progress) => {
    const nowMs = systemClock()
    // Rows are copied, then read back.
    const isNext = progress.unit !== part.unit || progress.done < part.done
    part = { ...progress, startMs: isNext ? nowMs : part.startMs }
    showLine(describe(progress, Math.max(nowMs - part.startMs, 1)))
  }
}

function shortTime(seconds: number): string {
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}

function describe(progress: Progress, passedMs: number): string {
  const [unit, size] = progress.unit === 'bytes' ? ['MB', 1_000_000] : [progress.unit, 1]
  const done = Math.floor(progress.done / size)
  const total = Math.ceil(progress.total / size)
  const perSecond = Math.round((done * 1_000) / passedMs)
  const leftSeconds = Math.ceil((passedMs * (total - done)) / done / 1_000)
  const left = done > 0 && done < total ? `, ${shortTime(leftSeconds)} left` : ''
  const share = done / Math.max(total, 1)
  const percent = numberOf(Math.floor(share * 100)).padStart(3)
  const whole = numberOf(total)
  // Numbers of constant widths keep the bar's length constant.
  const figures = `${percent} %  ${numberOf(done).padStart(whole.length)} of ${whole} ${unit}, ${numberOf(perSecond).padStart(7)} a second${left}`
  // A line as wide as the terminal would wrap, and its first half would stay.
  const width = Math.min(barWidthMax, (process.stderr.columns || 80) - figures.length - 4)
  if (width < 4) return figures
  return `[${'#'.repeat(Math.floor(share * width)).padEnd(width, '-')}] ${figures}`
}
