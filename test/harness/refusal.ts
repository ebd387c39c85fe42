import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../../src/config/exit-error.ts'
import { petstore } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { createEmptyStore } from './empty-store.ts'

type Refusal = {
  reason: keyof typeof exitCodes
  /** Relative to the directory, as is the path in the message, the database unless given. */
  database?: string
  names?: string
  message: RegExp
  /**
   * Run in a process of its own at least once for each exit code, in the full extent; or a command to put in front of
   * it, which must exec.
   */
  process?: boolean | string[]
}

/** Fails unless a start exits with this code and one sentence with the path, and changes nothing. */
export async function expectRefusal(
  directory: string,
  { reason, database = 'petstore.db', names = database, message, process = false }: Refusal,
) {
  const env = {
    PETSTORE_PORT: '0',
    PETSTORE_DATABASE: `sqlite:${join(directory, database)}`,
    PETSTORE_FIRST_KEY_FILE: join(directory, 'first-key'),
  }
  const before = snapshot(directory)

  const args = ['serve', '--json']
  const wrapper = process === true ? [] : process
  const exit = await (wrapper ? petstore(args, { env, wrapper }) : petstoreInThread(args, { env }))

  assert.equal(exit.code, exitCodes[reason], exit.stderr)
  assert.equal(exit.stdout, '')
  const [sentence = '', ...rest] = exit.stderr.trimEnd().split('\n')
  assert.match(sentence, message)
  assert.ok(sentence.includes(join(directory, names)), `names no path: ${sentence}`)
  assert.deepEqual(rest, [], 'one sentence')
  assert.deepEqual(snapshot(directory), before, 'nothing has changed')
}

/** Makes an empty store in a directory. */
export async function makeStore(directory: string): Promise<string> {
  const path = join(directory, 'petstore.db')
  await createEmptyStore(`sqlite:${path}`)
  return path
}

/** Names, times and bytes of all files, except locks and the index of a write-ahead log, which hold no data. */
function snapshot(directory: string): Record<string, unknown> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => !/\.lock$|-shm$/.test(name))
  return Object.fromEntries(
    files.map((name) => {
      const path = join(directory, name)
      const stat = statSync(path, { throwIfNoEntry: false })
      return [name, stat?.isFile() ? [stat.mtimeMs, readFileSync(path, 'base64')] : 'no file']
    }),
  )
}
