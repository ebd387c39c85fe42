import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { it } from 'node:test'
import { loadConfig } from '../../src/config/config.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { settingsFor } from '../processes/process.ts'

it('PETSTORE_PROCESSES: a number, or one per core; none is one process without a supervisor', () => {
  const processesOf = (env: Record<string, string>) => loadConfig({}, env).config.processes

  assert.equal(processesOf({}), undefined)
  assert.equal(processesOf({ PETSTORE_PROCESSES: '3' }), 3)
  assert.equal(processesOf({ PETSTORE_PROCESSES: 'auto' }), Math.min(availableParallelism(), 64))
  assert.equal(loadConfig({ processes: '2' }, { PETSTORE_PROCESSES: '3' }).config.processes, 2)
})

it('serve --processes: SQLite is served by one process, and another number ends with 78', async (t) => {
  const env = settingsFor(aDirectory(t))
  const refused = await petstoreInThread(['serve', '--processes', '2'], { env })
  const inMemory = await petstoreInThread(['serve', '--ephemeral', '--processes', '2'])

  for (const { code, stdout, stderr } of [refused, inMemory]) {
    assert.deepEqual([code, stdout], [78, ''])
    assert.match(stderr, /^A store in SQLite is served by one process, not by 2\. Leave out/)
    assert.match(stderr, /move the store to PostgreSQL with petstore backup --last\.\n$/)
  }
})

it('serve --processes: must be a number or auto, and --now sets the clock of one process', async () => {
  const env = { PETSTORE_ENVIRONMENT: 'staging', PETSTORE_DATABASE: 'postgres://127.0.0.1:1/none' }
  const wrong = await petstoreInThread(['serve', '--processes', 'all'], { env })
  const args = ['serve', '--processes', '2', '--now', '2030-12-05T00:00:00Z']
  const withClock = await petstoreInThread(args, { env })

  assert.deepEqual([wrong.code, withClock.code], [64, 64])
  assert.match(wrong.stderr, /^--processes is "all"; it must be a number from 1 to 64, or auto\./)
  assert.match(withClock.stderr, /^--now sets the clock of one process: leave out --processes and/)
})
