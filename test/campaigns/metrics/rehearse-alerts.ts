import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../processes/process.ts'
import { causes, ordinary, rehearsedMinutes } from './alert-cases.ts'

export const rulesFile = join(repositoryRoot, 'docs/operations/petstore-alerts.yml')

const firing = 'count by (alertname) (ALERTS{alertstate="firing"})'

/** Rehearses ordinary work and the cause of each alert with `promtool`; throws where another alert fires than its own. */
export function rehearseAlerts(directory: string): void {
  const alerts = [...readFileSync(rulesFile, 'utf8').matchAll(/- alert: (\w+)/g)].map(
    ([, name = '']) => name,
  )
  const rehearsed = Object.keys(causes)
  if (String(alerts.toSorted()) !== String(rehearsed.toSorted()))
    throw new Error(`The rules have ${alerts}; rehearsed are ${rehearsed}.`)
  const everyMinute = Array.from({ length: rehearsedMinutes }, (_, minute) => `${minute}m`)
  const tests = [
    rehearsal('ordinary work', ordinary, everyMinute, []),
    ...Object.entries(causes).map(([alert, cause]) =>
      rehearsal(alert, { ...ordinary, ...cause }, [`${rehearsedMinutes - 1}m`], [alert]),
    ),
  ]
  // JSON is YAML.
  const file = join(directory, 'alerts.test.yml')
  writeFileSync(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests }))
  execFileSync('promtool', ['check', 'rules', rulesFile], { stdio: 'inherit' })
  execFileSync('promtool', ['test', 'rules', file], { stdio: 'inherit' })
  console.log(`${rehearsed.length} alerts fire by their causes, and none in ordinary work.`)
}

function rehearsal(
  name: string,
  series: Readonly<Record<string, string>>,
  times: readonly string[],
  alerts: readonly string[],
) {
  return {
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([series, values]) => ({ series, values })),
    promql_expr_test: times.map((time) => ({
      expr: firing,
      eval_time: time,
      exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
    })),
  }
}
