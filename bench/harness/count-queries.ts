import { writeFileSync } from 'node:fs'
import { StatementSync } from 'node:sqlite'
import { isMainThread } from 'node:worker_threads'

/** Preloaded into our service: counts the queries of its serving thread; on SIGUSR2 writes the count to a file. */
const file = process.env.BENCH_QUERIES ?? ''
let count = 0

if (isMainThread) {
  const { all } = StatementSync.prototype
  StatementSync.prototype.all = function (
    this: StatementSync,
    ...parameters: Parameters<typeof all>
  ) {
    count += 1
    return all.apply(this, parameters)
  } as typeof all
  process.on('SIGUSR2', () => writeFileSync(file, String(count)))
}
