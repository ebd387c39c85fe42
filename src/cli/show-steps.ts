import type { Step } from '../admin/transfer/transfer-store.ts'
import type { Clock } from '../context/context.ts'
import { createProgressBar, type Output } from './progress-bar.ts'

type Steps = {
  /** Returns what is called at the end of the step. */
  onStep(step: Step): () => void
  /** The number of rows so far, of the step that has some. */
  onRows(rows: number): void
  /** What was running has failed: its line is cleared. */
  abandon(): void
}

const words: Readonly<Record<Step['name'], [doing: string, done: string]>> = {
  check: ['Checking', 'Checked'],
  copy: ['Copying', 'Copied'],
  compare: ['Comparing', 'Compared'],
}

/** Redraws the bar at most this often. */
const drawEveryMs = 100

/** Says which steps are done; on a terminal also which one is running, with a bar for the one that has rows. */
export function showSteps(output: Output, clock: Clock, { isQuiet }: { isQuiet: boolean }): Steps {
  const running = new Set<Step>()
  let bar: ReturnType<typeof createProgressBar> | undefined
  let drawnMs = 0

  function clear() {
    if (output.isTTY) output.write('\r\x1b[K')
  }

  function draw() {
    const names = [...running].map(({ name, store }) => `${words[name][0]} ${store}`)
    if (output.isTTY && names.length > 0) output.write(`\r${names.join(', ')} …\x1b[K\r`)
  }

  return {
    onStep(step) {
      const startMs = clock()
      running.add(step)
      if (step.rows !== undefined) {
        bar = createProgressBar(output, { total: step.rows, unit: 'rows', clock })
        drawnMs = startMs
      }
      draw()
      return () => {
        running.delete(step)
        if (step.rows !== undefined) bar = undefined
        clear()
        const seconds = ((clock() - startMs) / 1_000).toFixed(1)
        const counted =
          step.rows === undefined ? '' : `${step.rows.toLocaleString('en-US')} rows of `
        const line = `${words[step.name][1]} ${counted}${step.store} in ${seconds} s.\n`
        if (!isQuiet) output.write(line)
        draw()
      }
    },
    onRows(rows) {
      if (clock() - drawnMs < drawEveryMs) return
      drawnMs = clock()
      bar?.show(rows)
    },
    abandon: clear,
  }
}
