import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it } from 'node:test'
import { environmentWith } from '../../src/config/config.ts'
import { startPetstore } from '../../src/start-petstore.ts'
import { executable } from '../processes/command.ts'

const rounds = 15
const ratioMax = 4

it(`a command over HTTP takes at most ${ratioMax} times as long as node -e 0, its request included`, async (t) => {
  // In a process of its own: this one waits for the commands.
  await using store = await startPetstore({ as: 'child', seed: 3 })
  const env = environmentWith({ PETSTORE_URL: store.baseUrl, PETSTORE_KEY: store.key })
  const timeOf = ([file, ...args]: [string, ...string[]]) => {
    const startMs = performance.now()
    const { status, stderr } = spawnSync(file, args, { env })
    assert.equal(status, 0, String(stderr))
    return performance.now() - startMs
  }
  const times = Array.from({ length: rounds }, () => ({
    node: timeOf([process.execPath, '-e', '0']),
    command: timeOf(executable('pets', 'list')),
  }))

  const least = (name: 'node' | 'command') => Math.min(...times.map((round) => round[name]))
  const ratio = least('command') / least('node')
  t.diagnostic(`${ratio.toFixed(2)} times`)
  assert.ok(ratio <= ratioMax, `${ratio}`)
})
