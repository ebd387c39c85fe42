import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { it } from 'node:test'
import { aBackedUpStore } from '../harness/backed-up-store.ts'
import { example } from '../harness/documents.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

it('docs/examples/server/petstore-backup.service: the command makes a backup in its folder', async (t) => {
  const { env } = await aBackedUpStore(t)
  const folder = aDirectory(t)
  const service = example('server/petstore-backup.service')
  const [, command = ''] = /^ExecStart=\S+\/petstore (.*)$/m.exec(service) ?? []
  const [, setting = ''] = /^Environment=(\w+)=sqlite:/m.exec(service) ?? []

  const args = command.replace('/var/backups/petstore', folder).split(' ')
  const { code, stderr } = await petstoreInThread(args, { env })

  assert.equal(setting, 'PETSTORE_DATABASE')
  assert.equal(code, 0, stderr)
  assert.match(readdirSync(folder).join(), /^production-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/)
})
