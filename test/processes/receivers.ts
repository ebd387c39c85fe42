import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { secretText, signedHeaders } from '../../src/features/webhooks/deliver/sign.ts'
import { example } from '../harness/documents.ts'
import { isFull } from '../harness/extent.ts'
import { aDirectory, freePort, spawnCommand } from './command.ts'

// The programs of docs/examples/webhooks/.

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))

type Program = [string, ...string[]]

/** By language: the file of its program, what runs it, and what tells whether that is installed. */
export const receivers: Record<string, { file: string; command: Program; version: Program }> = {
  js: { file: 'receiver.mjs', command: [process.execPath], version: [process.execPath, '-v'] },
  python: { file: 'receiver.py', command: ['python3'], version: ['python3', '-V'] },
  go: {
    file: 'receiver.go',
    command: ['sh', '-c', 'go build -o receiver "$0" && exec ./receiver'],
    version: ['go', 'version'],
  },
  java: { file: 'Receiver.java', command: ['java'], version: ['javac', '-version'] },
  ruby: { file: 'receiver.rb', command: ['ruby'], version: ['ruby', '-v'] },
}

/** Runs the receiver of a language, and sends it genuine, repeated and forged messages. */
export async function checkReceiver(t: TestContext, language: string) {
  const { file, command } = receivers[language] as (typeof receivers)[string]
  const program = example(`webhooks/${file}`)
  const folder = aDirectory(t)
  writeFileSync(join(folder, file), program)
  symlinkSync(packages, join(folder, 'node_modules'))
  const secret = randomBytes(32)
  const port = await freePort()
  const env = { SECRET: secretText(secret), PORT: port, GOCACHE: join(folder, 'cache') }
  const start = (env: Record<string, string>) =>
    spawnCommand(t, [...command, join(folder, file)], { cwd: folder, env })
  const receiver = start(env)
  await receiver.waitFor(/Listening\n/)

  const bodyOf = (type: string) => `{"id":1,"type":"${type}","data":{"name":"Björk"}}`
  type Message = { type: string; id: string; secrets?: Uint8Array[]; agoMs?: number; sent?: string }
  const send = async ({
    type,
    id,
    secrets = [secret],
    agoMs = 0,
    sent = bodyOf(type),
  }: Message) => {
    const headers = signedHeaders(secrets, { id, body: bodyOf(type) }, Date.now() - agoMs)
    const url = `http://127.0.0.1:${port}/hook`
    return (await fetch(url, { method: 'POST', headers, body: sent })).status
  }
  assert.equal(await send({ type: 'pet.created', id: '7' }), 204)
  assert.equal(await send({ type: 'pet.created', id: '7', agoMs: 60_000 }), 204)
  assert.equal(
    await send({ type: 'order.placed', id: '8', secrets: [randomBytes(32), secret] }),
    204,
  )

  assert.equal(await send({ type: 'pet.forged', id: '9', secrets: [randomBytes(32)] }), 401)
  assert.equal(await send({ type: 'pet.changed', id: '9', sent: bodyOf('pet.deleted') }), 401)
  assert.equal(await send({ type: 'pet.old', id: '9', agoMs: 600_000 }), 401)
  assert.equal(await send({ type: 'pet.early', id: '9', agoMs: -600_000 }), 401)
  const unsigned = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })
  assert.equal(unsigned.status, 401)
  assert.equal(receiver.output.stdout, 'Listening\nHandled pet.created\nHandled order.placed\n')
  assert.equal(receiver.output.stderr, '')
  if (!isFull) return
  // Otherwise it would take messages that anybody signs with no secret.
  const { SECRET, ...others } = env
  const refusing = start({ ...others, PORT: await freePort() })
  await assert.rejects(refusing.waitFor(/Listening/))
  assert.notEqual(refusing.child.exitCode, 0)
}
