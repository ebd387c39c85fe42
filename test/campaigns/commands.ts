/**
 * npm run test:commands -- [--rounds 15]
 * The time that `petstore pets list` takes, its request to a store beside it included, as a ratio to `node -e 0`: the
 * least of interleaved rounds. Exits with 1 where it is beyond the limit.
 */
import { spawnSync } from 'node:child_process'
import { environmentWith } from '../../src/config/config.ts'
import { startPetstore } from '../../src/start-petstore.ts'
import { executable } from '../processes/command.ts'
import { requireAtMost } from './measure.ts'
import { readOptions } from './options.ts'

const ratioMax = 4

const { rounds } = readOptions({ rounds: 15 })

// In a process of its own: this one waits for the commands.
await using store = await startPetstore({ as: 'child', seed: 3 })
const env = environmentWith({ PETSTORE_URL: store.baseUrl, PETSTORE_KEY: store.key })

function timeOf([file, ...args]: [string, ...string[]]): number {
  const startMs = performance.now()
  const { status, stderr } = spawnSync(file, args, { env })
  if (status !== 0) throw new Error(String(stderr))
  return performance.now() - startMs
}

const times = Array.from({ length: rounds }, () => ({
  node: timeOf([process.execPath, '-e', '0']),
  command: timeOf(executable('pets', 'list')),
}))
const least = (name: 'node' | 'command') => Math.min(...times.map((round) => round[name]))
const ratio = least('command') / least('node')
console.log(
  `node -e 0: ${least('node').toFixed(0)} ms; petstore pets list: ${least('command').toFixed(0)} ms, ${ratio.toFixed(2)} times`,
)
requireAtMost('a command, times as long', ratio, ratioMax)
