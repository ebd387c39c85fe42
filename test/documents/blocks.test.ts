import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { environmentWith } from '../../src/config/config.ts'
import {
  type Document,
  documents,
  isAsShown,
  runSql,
  type Step,
  stepsOf,
} from '../harness/documents.ts'
import { until } from '../processes/command.ts'
import { type PostgresServer, startPostgres } from '../processes/postgres.ts'
import { workingCopy } from '../processes/working-copy.ts'

// Runs the commands of README.md and docs/ in a copy of the working tree, the blocks of a document in order. The
// ports 8080 and 8081 are replaced by free ones, and 5432 by that of a PostgreSQL on which the sql blocks are run.

const testMaxMs = 300_000
const isReady = /"baseUrl":.*\n/
const run = documents().filter(({ blocks }) =>
  blocks.some(({ language }) => language === 'sh' || language === 'ts'),
)

// One copy for all documents: Node compiles its modules once.
const copy = workingCopy()
const copied = readdirSync(copy)
after(() => rmSync(copy, { recursive: true, force: true }))

for (const document of run) {
  it(`${document.path}: its commands succeed, and their output is as shown`, {
    timeout: testMaxMs,
  }, async () => {
    const needsServer = document.blocks.some(({ language }) => language === 'sql')
    const server = needsServer ? await startPostgres() : undefined
    const reader = createReader(copy, await freePorts(), server?.port)
    try {
      await follow(document, reader, server)
    } finally {
      await reader.leave()
      cleanCopy()
      await server?.stop()
    }
  })
}

/** Removes what the reader of a document left. */
function cleanCopy() {
  const left = readdirSync(copy).filter((name) => !copied.includes(name))
  for (const name of left) rmSync(join(copy, name), { recursive: true })
}

async function follow({ blocks }: Document, reader: Reader, server?: PostgresServer) {
  for (const [index, { language, text }] of blocks.entries()) {
    const next = blocks[index + 1]
    if (language === 'sql') await runSql(server as PostgresServer, text)
    if (language === 'ts') await reader.runTest(text)
    if (language !== 'sh') continue
    const output = await reader.runCommands(text)
    if (next?.language !== 'json') continue
    const shown = reader.withPorts(next.text)
    assert.ok(isAsShown(output, shown), `${text}shows ${shown}and printed ${output}`)
  }
}

type Reader = ReturnType<typeof createReader>

/** A reader who follows a document in a directory. */
function createReader(root: string, [production, staging]: [string, string], postgresPort = 5432) {
  const services: ChildProcess[] = []
  let examples = 0
  const withPorts = (text: string) =>
    text
      .replaceAll('8080', production)
      .replaceAll('8081', staging)
      .replaceAll('5432', String(postgresPort))
  const withVariables = 'if [ -f .variables ]; then . ./.variables; fi; set -a'
  const start = (command: string, env: Record<string, string> = {}) => {
    const child = spawn('sh', ['-ec', command], {
      cwd: root,
      env: { ...environmentWith(env), NODE_TEST_CONTEXT: undefined },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const captured = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (captured.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (captured.stderr += text))
    return { child, captured }
  }

  async function startService(line: string): Promise<string> {
    const port = line.includes('staging') ? staging : production
    const { child, captured } = start(`${withVariables}\nexec ${line}`, { PETSTORE_PORT: port })
    services.push(child)
    const file = />\s*(\S+)\s*$/.exec(line)?.[1]
    const output = () => {
      if (file === undefined) return captured.stdout
      return existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''
    }
    await until(() => {
      if (child.exitCode !== null) throw new Error(`${line} has ended: ${captured.stderr}`)
      return isReady.test(output())
    })
    return captured.stdout
  }

  /** Variables are kept from one step to the next, as in one shell. */
  async function runStep(text: string): Promise<string> {
    const { child, captured } = start(`${withVariables}\n${text}\nexport -p > .variables`)
    const [code] = await once(child, 'close')
    assert.equal(code, 0, `${text}\n${captured.stdout}${captured.stderr}`)
    return captured.stdout
  }

  return {
    withPorts,
    async runCommands(block: string): Promise<string> {
      const outputs: Record<Step['kind'], string> = { service: '', commands: '' }
      for (const { kind, text } of stepsOf(withPorts(block))) {
        outputs[kind] += await (kind === 'service' ? startService(text) : runStep(text))
      }
      return outputs.commands || outputs.service
    },
    async runTest(source: string): Promise<void> {
      const name = `example-${++examples}.test.ts`
      writeFileSync(join(root, name), source)
      await runStep(`'${process.execPath}' --test ${name}`)
    },
    async leave(): Promise<void> {
      await Promise.all(services.map(stopGroup))
    },
  }
}

/** Stops a service together with the npm and the shells that started it. */
async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  process.kill(-(child.pid ?? 0), 'SIGTERM')
  await closed
}

async function freePorts(): Promise<[string, string]> {
  const servers = [createServer(), createServer()]
  const ports = await Promise.all(
    servers.map(async (server) => {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      return String((server.address() as { port: number }).port)
    }),
  )
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports as [string, string]
}
