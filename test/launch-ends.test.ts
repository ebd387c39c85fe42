import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cases, itInFull } from './harness/extent.ts'
import { until } from './harness/until.ts'
import { aPackage } from './processes/launch-fixture.ts'

const answer = `console.log('answer')`

for (const killed of cases(['the launch', 'what started the launch'] as const, { quickEvery: 2 })) {
  it(`stops npm when ${killed} is killed`, async (t) => {
    const { launch, path } = await aPackage(t, answer)
    const starter = `require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: [0, 1, 2, 'ipc'] }).channel.unref()
      setInterval(() => {}, 1000)`
    const command = [process.execPath, '-e', starter, process.execPath]
    const isDirect = killed === 'the launch'
    const { child, exited } = launch([], {
      env: { NPM_TAKES_MS: '600000' },
      ...(isDirect ? {} : { command }),
    })
    const npmPid = () => readFileSync(path('npm-pid.txt'), 'utf8')
    while (!existsSync(path('npm-pid.txt')) || npmPid() === '') await sleep(20)

    child.kill('SIGKILL')

    await until(() => !existsSync(`/proc/${npmPid()}`))
    await exited
  })
}

itInFull('81: gives up within seconds where no registry is reached', async (t) => {
  const { launch } = await aPackage(t, answer)
  const env = { NPM_TAKES_MS: '600000', NPM_CONNECTS_TO: '9' }
  const startMs = performance.now()

  const { child, exited } = launch([], { env, hasChannel: true })
  const end = await exited
  if (child.connected) child.disconnect()

  t.diagnostic(`${Math.round(performance.now() - startMs)} ms`)
  assert.equal(end.code, 81)
  assert.match(end.stderr, /npm has reached no registry: connect ECONNREFUSED/)
})
