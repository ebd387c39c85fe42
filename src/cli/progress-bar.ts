import type { WriteStream } from 'node:tty'
import type { Clock } from '../context/context.ts'

type Progress = {
  show(done: number): void
  /** Leaves the line empty, for what is said next. */
  clear(): void
}

type Output = Pick<WriteStream, 'isTTY' | 'columns' | 'write'>

const widthMax = 40

/** A bar on one line of a terminal that is drawn anew with each step; nothing where no terminal is. */
export function createProgressBar(output: Output, total: number, clock: Clock): Progress {
  if (!output.isTTY) return { show: () => undefined, clear: () => undefined }
  const startMs = clock()
  // The cursor goes back to the start: whatever ends the program here, the next line is written over this one.
  const draw = (line: string) => output.write(`\r${line}\x1b[K\r`)

  return {
    show(done) {
      const perSecond = Math.round((done * 1_000) / Math.max(clock() - startMs, 1))
      const percent = countOf(Math.floor((done * 100) / total), 3)
      const whole = countOf(total)
      const figures = `${percent} %  ${countOf(done, whole.length)} of ${whole} pets, ${countOf(perSecond, 7)} a second`
      // A line that reaches the edge would be broken in two, and the first half stay.
      const width = Math.min(widthMax, (output.columns || 80) - figures.length - 4)
      draw(width < 4 ? figures : `${barOf(done / total, width)} ${figures}`)
    },
    clear: () => void draw(''),
  }
}

function barOf(part: number, width: number): string {
  return `[${'#'.repeat(Math.floor(part * width)).padEnd(width, '-')}]`
}

/** At least so wide that the bar keeps its length. */
function countOf(count: number, width = 0): string {
  return count.toLocaleString('en-US').padStart(width)
}
