/**
 * npm run test:commands -- [--rounds 15]
 * The time that `petstore pets list` takes, its request to a store beside it included, as a ratio to `node -e 0`: the
 * least of interleaved rounds. Exits with 1 where it is beyond the limit.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { environmentWith } from '../../src/config/config.ts'
import { startPetstore } from '../../src/start-petstore.ts'
import { executable } from '../processes/command.ts'
import { fail } from './measure.ts'

const ratioMax = 4

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } })

// In a process of its own: this one waits for the commands.
await using store = await startPetstore({ as: 'child', seed: 3 })
const env = environmentWith({ PETSTORE_URL: store.baseUrl, PETSTORE_KEY: store.key })

function timeOf([file, ...args]: [string, ...string[]]): number {
  const startMs = performance.now()
  const { status, stderr } = spawnSync(file, args, { env })
  if (status !== 0) throw new Error(String(stderr))
  return performance.now() - startMs
}

const times = Array.from({ length: Number(values.rounds) }, () => ({
  node: timeOf([process.execPath, '-e', '0']),
  command: timeOf(executable('pets', 'list')),
}))
const least = (name: 'node' | 'command') => Math.min(...times.map((round) => round[name]))
const ratio = least('command') / least('node')
console.log(
  `node -e 0: ${least('node').toFixed(0)} ms; petstore pets list: ${least('command').toFixed(0)} ms, ${ratio.toFixed(2)} times`,
)
if (ratio > ratioMax) fail(`a command takes more than ${ratioMax} times as long`)
