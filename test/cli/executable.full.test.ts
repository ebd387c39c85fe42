import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { environmentWith } from '../../src/config/config.ts'
import { until } from '../harness/until.ts'
import { aDirectory, spawnCommand } from '../processes/command.ts'
import { repositoryRoot, settingsFor } from '../processes/process.ts'

const executable = join(repositoryRoot, 'bin/petstore')
const nobody = 65_534
/** Root may write everywhere, so it has to become somebody else first. */
const asNobody = [
  'setpriv',
  `--reuid=${nobody}`,
  `--regid=${nobody}`,
  '--clear-groups',
  'env',
] as const
const becoming = spawnSync(asNobody[0], [...asNobody.slice(1), process.execPath, executable, '-v'])
const canBecomeNobody = {
  skip: becoming.status === 0 ? false : 'needs root, setpriv and a source that others can read',
}

it(
  'a user who cannot write to the folder of the program serves from their own',
  canBecomeNobody,
  async (t) => {
    const home = join(aDirectory(t), 'home')
    mkdirSync(home)
    chownSync(join(home, '..'), nobody, nobody)
    chownSync(home, nobody, nobody)
    const args = ['serve', '--json', '--port', '0']
    const service = spawnCommand(
      t,
      [...asNobody, `HOME=${home}`, process.execPath, executable, ...args],
      {
        cwd: home,
      },
    )
    await service.waitFor(/\{"baseUrl":.*\n/)

    assert.equal((await service.stop()).code, 0)
    assert.ok(readdirSync(join(home, 'data')).includes('production.db'))
    assert.ok(existsSync(join(home, '.cache/petstore/compiled')), 'compiled code is kept at home')
  },
)

/** The program as a launcher starts it that cannot be replaced by it. */
function launched(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(repositoryRoot, 'bin/petstore.js'), ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: environmentWith(env),
  })
  return { child, exited: once(child, 'exit') }
}

it('a command ends with its launcher, however that ends, and does not wait for it', async (t) => {
  const directory = aDirectory(t)
  const short = launched(['config'])
  const long = launched(['seed', '--count', '10000000'], settingsFor(directory))
  t.after(() => long.child.kill('SIGKILL'))
  await until(() => existsSync(join(directory, 'petstore.db')))

  long.child.disconnect()

  assert.deepEqual(await long.exited, [null, 'SIGKILL'])
  assert.deepEqual(await short.exited, [0, null])
})
