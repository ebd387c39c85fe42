import assert from 'node:assert/strict'
import { it } from 'node:test'
import { exitCodes } from '../../src/config/exit-error.ts'
import { createEmptyStore } from '../harness/empty-store.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

it('78 configuration: data of another environment is not served, and no keys are issued for it', async (t) => {
  const env = { PETSTORE_DATABASE: `sqlite:${aDirectory(t)}/pets.db` }
  await createEmptyStore(env.PETSTORE_DATABASE)

  for (const args of [['serve'], ['keys', 'create', '--name', 'test']]) {
    const { code, stdout, stderr } = await petstoreInThread([...args, '--environment', 'staging'], {
      env,
    })
    assert.equal(code, exitCodes.configuration, stderr)
    assert.match(stderr, /pets\.db holds the data of production, and this is staging/)
    assert.doesNotMatch(stdout, /pet_test_/)
  }
})
