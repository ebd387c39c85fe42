import type { OnProgress, Progress } from '../admin/progress.ts'
import type { Clock } from '../context/context.ts'
import { createProgressBar, type Output } from './progress-bar.ts'

const bytesPerMegabyte = 1_000_000

/** A progress bar for each part of the work, one after the other; nothing without a terminal. */
export function showProgress(
  output: Output,
  clock: Clock,
): { onProgress: OnProgress; clear(): void } {
  let bar: ReturnType<typeof createProgressBar> | undefined
  let shown: Progress['unit'] | undefined
  let shownDone = 0

  return {
    onProgress(progress) {
      const { unit, done, total } = inMegabytes(progress)
      // Rows are copied, then read back.
      if (progress.unit !== shown || done < shownDone) {
        bar?.clear()
        bar = createProgressBar(output, { total, unit, clock })
        shown = progress.unit
      }
      shownDone = done
      bar?.show(done)
    },
    clear: () => bar?.clear(),
  }
}

function inMegabytes({ unit, done, total }: Progress) {
  if (unit !== 'bytes') return { unit, done, total }
  return {
    unit: 'MB',
    done: Math.floor(done / bytesPerMegabyte),
    total: Math.ceil(total / bytesPerMegabyte),
  }
}
