import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import { it } from 'node:test'
import { aPackage } from './processes/launch-fixture.ts'

it('a program that was called by a symbolic link has that path, which may name another version later', async (t) => {
  const { path, launch } = await aPackage(t, 'console.log(process.argv[1])')
  await symlink(path('.'), path('current'))
  const called = path('current/bin/petstore')
  const command = ['sh', '-c', `exec '${process.execPath}' '${called}'`]

  const linked = await launch([], { command }).exited
  const direct = await launch([]).exited

  assert.deepEqual(
    [linked.stdout, direct.stdout],
    [`${called}.js\n`, `${path('bin/petstore.js')}\n`],
  )
})
