import type { WriteStream } from 'node:tty'
import type { Clock } from '../context/context.ts'

type Progress = {
  show(done: number): void
  /** Clears the line. */
  clear(): void
}

export type Output = Pick<WriteStream, 'isTTY' | 'columns' | 'write'>

const widthMax = 40

/** What is counted: `pets`, `rows`. */
type Work = { total: number; unit: string; clock: Clock }

/** A progress bar on one line of a terminal, redrawn at each step; nothing without a terminal. */
export function createProgressBar(output: Output, { total, unit, clock }: Work): Progress {
  if (!output.isTTY) return { show: () => undefined, clear: () => undefined }
  const startMs = clock()
  // The cursor returns to the start, so that the next output overwrites the bar however the program ends.
  const draw = (line: string) => output.write(`\r${line}\x1b[K\r`)

  return {
    show(done) {
      const passedMs = Math.max(clock() - startMs, 1)
      const perSecond = Math.round((done * 1_000) / passedMs)
      const leftMs = (passedMs * (total - done)) / done
      const left = done > 0 && done < total ? `, ${durationOf(leftMs)} left` : ''
      const percent = countOf(Math.floor((done * 100) / Math.max(total, 1)), 3)
      const whole = countOf(total)
      const figures = `${percent} %  ${countOf(done, whole.length)} of ${whole} ${unit}, ${countOf(perSecond, 7)} a second${left}`
      // A line as wide as the terminal would wrap, and its first half would stay.
      const width = Math.min(widthMax, (output.columns || 80) - figures.length - 4)
      draw(width < 4 ? figures : `${barOf(done / Math.max(total, 1), width)} ${figures}`)
    },
    clear: () => void draw(''),
  }
}

function barOf(part: number, width: number): string {
  return `[${'#'.repeat(Math.floor(part * width)).padEnd(width, '-')}]`
}

/** The width that keeps the bar's length constant. */
function countOf(count: number, width = 0): string {
  return count.toLocaleString('en-US').padStart(width)
}

/** A duration for people: `12 s`, `3 min`. */
function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}
