import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { repositoryRoot } from '../processes/process.ts'

/** A store starts in well under a second; a test machine may be busy. */
const timeout = 60_000

/** Fake timers as test runners install them: those of Node, and those that replace what is global (Vitest, Sinon). */
const fakeTimers = {
  'mock.timers of node:test': `
    const { mock } = await import('node:test')
    mock.timers.enable()`,
  'replaced globals': `
    const { default: timers } = await import('node:timers')
    const { default: promises } = await import('node:timers/promises')
    const never = { ref: () => never, unref: () => never, refresh: () => never, hasRef: () => true }
    for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
      globalThis[name] = timers[name] = () => never
      globalThis[name.replace('set', 'clear')] = timers[name.replace('set', 'clear')] = () => {}
      promises[name] = () => new Promise(() => {})
    }
    globalThis.performance = Object.assign(Object.create(performance), { now: () => 0 })
    globalThis.Date = class extends Date {
      constructor(...values) {
        super(...(values.length > 0 ? values : [0]))
      }
      static now() {
        return 0
      }
    }`,
}

for (const [name, install] of Object.entries(fakeTimers)) {
  it(`startPetstore in-process: works on under fake timers: ${name}`, async () => {
    const program = `
      import { startPetstore } from ${JSON.stringify(`${repositoryRoot}src/start-petstore.ts`)}
      const before = Date.now()
      ${install}
      const fixture = { pets: [{ name: 'Rex', status: 'available' }] }
      const store = await startPetstore({ fixture, orderHoldMs: 60_000 })
      const headers = { authorization: 'Bearer ' + store.key, 'content-type': 'application/json' }
      const body = '{"petId":1}'
      const { status } = await fetch(store.baseUrl + '/store/orders', { method: 'POST', headers, body })
      const isNow = Number(await store.clock.now()) >= before
      await store.clock.advance(60_000)
      const orders = await fetch(store.baseUrl + '/store/orders?status=expired', { headers })
      console.log(status, isNow, (await orders.json()).length)
      await store.close()
      console.log('closed')`
    const args = ['--input-type=module', '-e', program]

    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout })

    assert.match(stdout, /^201 true 1\nclosed\n/)
  })
}
