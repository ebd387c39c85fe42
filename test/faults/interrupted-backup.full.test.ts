import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { aBackedUpStore } from '../harness/backed-up-store.ts'
import { until } from '../harness/until.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { launchService } from '../processes/process.ts'

it('backup: SIGINT leaves no file; kill -9 leaves one without its name, which the next run deletes', async (t) => {
  const { env, folder, path } = await aBackedUpStore(t)
  const file = join(folder, 'new.backup')
  // A command waits for five seconds for this lock.
  const holder = new DatabaseSync(path)
  holder.exec('pragma locking_mode = exclusive; begin exclusive')
  const unfinished = () => readdirSync(folder).filter((name) => name.includes('.unfinished-'))
  const interrupt = async (signal: NodeJS.Signals) => {
    await using command = launchService({ args: ['backup', file], env })
    await until(() => unfinished().length === 1)
    process.kill(command.pid, signal)
    return await command.exited
  }

  const stopped = await interrupt('SIGINT')
  const afterStop = readdirSync(folder)
  await interrupt('SIGKILL')
  const left = unfinished()
  holder.close()
  const { code } = await petstoreInThread(['backup', file], { env })

  assert.equal(stopped.signal, 'SIGINT')
  assert.equal(stopped.stderr, 'Interrupted: there is no backup.\n')
  assert.deepEqual(afterStop, ['pets.backup'])
  assert.equal(left.length, 1)
  assert.equal(code, 0)
  assert.deepEqual(readdirSync(folder), ['new.backup', 'pets.backup'])
})
