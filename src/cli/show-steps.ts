import type { Step } from '../admin/transfer/transfer-store.ts'
import type { Clock } from '../context/context.ts'
import { createProgressBar } from './progress-bar.ts'

type Steps = {
  onStep(step: Step): void
  /** The number of rows of this step so far. */
  onRows(rows: number): void
  /** The last step is done. */
  end(): void
  /** The last step has failed: its line is cleared. */
  abandon(): void
}

const words: Readonly<Record<Step['name'], [doing: string, done: string]>> = {
  check: ['Checking', 'Checked'],
  copy: ['Copying', 'Copied'],
  compare: ['Comparing', 'Compared'],
}

/** Redraws the bar at most this often. */
const drawEveryMs = 100

/** Says on standard error which step is done; on a terminal also which one is running, with a bar. */
export function showSteps(clock: Clock, { isQuiet }: { isQuiet: boolean }): Steps {
  const { stderr } = process
  let bar: ReturnType<typeof createProgressBar> | undefined
  let finish = () => {}
  let drawnMs = 0

  function clear() {
    bar?.clear()
    finish = () => {}
  }

  return {
    onStep({ name, store, rows }) {
      finish()
      const [doing, done] = words[name]
      const startMs = clock()
      drawnMs = startMs
      bar = createProgressBar(stderr, { total: rows ?? 0, unit: 'rows', clock })
      if (stderr.isTTY) stderr.write(`\r${doing} ${store} …\x1b[K\r`)
      finish = () => {
        clear()
        const seconds = ((clock() - startMs) / 1_000).toFixed(1)
        const counted = rows === undefined ? '' : `${rows.toLocaleString('en-US')} rows of `
        if (!isQuiet) stderr.write(`${done} ${counted}${store} in ${seconds} s.\n`)
      }
    },
    onRows(rows) {
      if (clock() - drawnMs < drawEveryMs) return
      drawnMs = clock()
      bar?.show(rows)
    },
    end: () => finish(),
    abandon: clear,
  }
}
