/**
 * npm run test:metrics
 * Rehearses the alert rules with promtool; then a real Prometheus scrapes services of both engines at ordinary work, with
 * the rules at sixty times their speed: each query of the dashboard returns data, no alert fires there, and those of a
 * service in trouble do. Needs `prometheus` and `promtool` on PATH, as Debian's package prometheus has them.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkLive } from './metrics/check-live.ts'
import { rehearseAlerts } from './metrics/rehearse-alerts.ts'

for (const program of ['prometheus', 'promtool']) {
  if (spawnSync(program, ['--version']).status !== 0) {
    console.error(`${program} is not on PATH. On Debian: apt-get install prometheus.`)
    process.exit(1)
  }
}
const directory = mkdtempSync(join(tmpdir(), 'petstore-metrics-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
rehearseAlerts(directory)
await checkLive(directory)
process.exit()
