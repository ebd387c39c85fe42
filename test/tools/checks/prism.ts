import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { whenThisProcessIsGone } from '../../processes/process.ts'
import { requiredQuantity } from '../harness/faults.ts'
import { commandOf } from '../harness/packages.ts'
import type { Bench, Document, Tool } from '../harness/tool.ts'
import { createPlainClient } from '../scenario/plain-client.ts'
import { useEveryOperation } from '../scenario/scenario.ts'

const prismCommand = commandOf('@stoplight/prism-cli', 'prism')

type Violation = { location: string[]; message: string; severity: string }

export const prism: Tool = {
  name: 'prism',
  packages: ['@stoplight/prism-cli'],
  async check(bench) {
    await using proxy = await startPrism(bench)
    const found: string[] = []
    let answerCount = 0
    const createClient = (key: string) =>
      createPlainClient(bench.document as { paths: Document }, {
        baseUrl: proxy.origin,
        key,
        onAnswer(operationId, response) {
          answerCount += 1
          found.push(...violationsOf(response).map((one) => `${operationId}: ${one}`))
        },
      })
    await useEveryOperation({ createClient, refusesBadBodies: false, int64: 'rounded' }, bench)
    const [ofInt64, ...others] = found.toReversed()
    if (others.length > 0) throw new Error(found.join('\n'))
    assert.match(ofInt64 ?? '', /categoryId must be <= 9007199254740991$/)
    await meetLimits(proxy.origin, bench.key)
    return `no violation in ${answerCount} answers, but that it refuses int64 beyond 2^53`
  },
  faults: [
    requiredQuantity,
    {
      fault: 'a document in which a pet has no name',
      edit: ({ components }) => {
        const { Pet } = components.schemas
        delete Pet.properties.name
        Pet.required = ['id', 'categoryId']
      },
      expected: /createPet: 201 response\.body .*'name'/,
    },
    {
      fault: 'a document without a status that the service has',
      edit: ({ paths }) => {
        delete paths['/pets/{petId}'].patch.responses['412']
      },
      expected: /updatePet: 412/,
    },
  ],
}

/** What the guide says that Prism cannot do: once it can, this fails, since the guide is wrong. */
async function meetLimits(origin: string, key: string) {
  const headers = { authorization: `Bearer ${key}` }
  const head = await fetch(`${origin}/pets`, { method: 'HEAD', headers })
  assert.equal(head.status, 500, 'Prism answers HEAD with 500')
  const problem = await fetch(`${origin}/pets/999999`, {
    headers: { ...headers, accept: 'application/problem+json' },
  })
  assert.match(violationsOf(problem).join(), /required property 'message'/)
}

/** Violations by responses, and by requests that the service accepted. */
function violationsOf(response: Response): string[] {
  const listed = response.headers.get('sl-violations') ?? '[]'
  // Otherwise there are more than Prism puts into a header.
  if (!listed.startsWith('[')) return [`${response.status} ${listed}`]
  const violations: Violation[] = JSON.parse(listed)
  return violations
    .filter(({ location }) => location[0] === 'response' || response.ok)
    .map(({ location, message }) => `${response.status} ${location.join('.')} ${message}`)
}

/** `prism proxy` in front of the store. */
export async function startPrism({ documentPath, baseUrl, directory }: Bench) {
  const child = spawn(
    process.execPath,
    [prismCommand, 'proxy', documentPath, baseUrl, '--port', '0', '--verboseLevel', 'info'],
    {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NO_COLOR: '1' },
    },
  )
  whenThisProcessIsGone('kill -9 "$1"', [String(child.pid)], child)
  const exited = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await exited
  }
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    const [origin] = /http:\/\/[\d.]+:\d+(?=\s*$)/.exec(line) ?? []
    if (/listening/.test(line) && origin) {
      child.stdout.resume()
      return { origin, [Symbol.asyncDispose]: close }
    }
  }
  throw new Error(`Prism did not start:\n${lines.join('\n')}`)
}
