import type { WriteStream } from 'node:tty'
import type { Clock } from '../context/context.ts'

type Progress = {
  show(done: number): void
  /** Clears the line. */
  clear(): void
}

type Output = Pick<WriteStream, 'isTTY' | 'columns' | 'write'>

const widthMax = 40

/** A progress bar on one line of a terminal, redrawn at each step; nothing without a terminal. */
export function createProgressBar(output: Output, total: number, clock: Clock): Progress {
  if (!output.isTTY) return { show: () => undefined, clear: () => undefined }
  const startMs = clock()
  // The cursor returns to the start, so that the next output overwrites the bar however the program ends.
  const draw = (line: string) => output.write(`\r${line}\x1b[K\r`)

  return {
    show(done) {
      const perSecond = Math.round((done * 1_000) / Math.max(clock() - startMs, 1))
      const percent = countOf(Math.floor((done * 100) / total), 3)
      const whole = countOf(total)
      const figures = `${percent} %  ${countOf(done, whole.length)} of ${whole} pets, ${countOf(perSecond, 7)} a second`
      // A line as wide as the terminal would wrap, and its first half would stay.
      const width = Math.min(widthMax, (output.columns || 80) - figures.length - 4)
      draw(width < 4 ? figures : `${barOf(done / total, width)} ${figures}`)
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
