import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Document, documents, isAsShown, runSql } from '../harness/documents.ts'
import { isFull, itInFull } from '../harness/extent.ts'
import { type PostgresServer, startPostgres } from '../processes/postgres.ts'
import { repositoryRoot } from '../processes/process.ts'
import { openTerminal, type Terminal } from '../processes/terminal.ts'

// A reader pastes README.md and then each guide into one terminal, block by block. A block is pasted into another terminal
// where the sentence in front of it says so. The ports 8080 and 8081 are replaced by free ones, and 5432 by that of a
// PostgreSQL on which the sql blocks are run.

const pageMaxMs = 300_000
/** The guides that start most processes: `npm test` leaves them to `npm run test:all`. */
const takesLong =
  /\/(?:backup|checks|(?:service-)?commands|disaster|keys|postgresql|selling-a-pet|spreadsheets|testing-against-it)\.md$/
const isReady = /"baseUrl":.*\n/
const pages = documents().filter(({ blocks }) => blocks.some(({ language }) => language === 'sh'))

/** Makes the ids of the next guides differ from those that they show, as in the store of a reader who has tried something. */
const recordsOfTheReader = `
key=$(bin/petstore keys create --name reader)
post() { curl -s -H "Authorization: Bearer $key" -H "Content-Type: application/json" -d "$2" http://127.0.0.1:8080/v1/$1; }
post categories '{"name": "Snails"}'
post pets '{"name": "Turbo", "categoryId": 1, "status": "available"}'
post pets '{"name": "Gary", "categoryId": 1, "status": "available"}'
post store/orders '{"petId": 1}'
post store/orders '{"petId": 2}'
`

const folder = readersFolder()
const ports = { 8080: await quietPort(), 8081: await quietPort() }
const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
const env = { PATH: path, XDG_CONFIG_HOME: join(folder, 'config') }
let terminal = openTerminal(folder, env)
after(async () => {
  await terminal.close()
  rmSync(folder, { recursive: true, force: true })
})

for (const page of pages) {
  const define = takesLong.test(page.path) ? itInFull : it
  define(
    `${page.path}: pasted into a terminal, its commands succeed, and print what is shown`,
    {
      timeout: pageMaxMs,
    },
    async () => {
      const needsServer = page.blocks.some(({ language }) => language === 'sql')
      const server = needsServer ? await startPostgres() : undefined
      const others: Terminal[] = []
      try {
        await paste(page, others, server)
        if (page.path === 'README.md' && isFull) await terminal.paste(withPorts(recordsOfTheReader))
      } catch (error) {
        // It may be busy for ever, or closed: the next page gets another one.
        await terminal.close()
        terminal = openTerminal(folder, env)
        throw error
      } finally {
        for (const other of others) await other.close()
        await server?.stop()
      }
    },
  )
}

// The TypeScript examples of the pages: each defines its test here.
for (const [index, { text }] of pages.flatMap(({ blocks }) => blocks.filter(isExample)).entries()) {
  const source = pathToFileURL(join(repositoryRoot, 'src/')).href
  const file = join(folder, `example-${index}.test.ts`)
  writeFileSync(file, text.replaceAll("'./src/", `'${source}`))
  await import(pathToFileURL(file).href)
}

/** A free port below those that systems assign to other processes, which could take it before a page does. */
async function quietPort(): Promise<string> {
  while (true) {
    const port = randomInt(10_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await once(server.close(), 'close')
    return String(port)
  }
}

function isExample({ language }: { language: string }): boolean {
  return language === 'ts'
}

/** What a clone looks like from inside, where packages are installed; `data/` is its own. */
function readersFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'petstore-reader-'))
  for (const name of readdirSync(repositoryRoot)) {
    if (!/^(?:\.git|data|node_modules)$/.test(name)) {
      symlinkSync(join(repositoryRoot, name), join(root, name))
    }
  }
  return root
}

function withPorts(text: string, postgresPort = 5432): string {
  return text
    .replaceAll('8080', ports[8080])
    .replaceAll('8081', ports[8081])
    .replaceAll('5432', String(postgresPort))
}

async function paste({ blocks }: Document, others: Terminal[], server?: PostgresServer) {
  for (const [index, block] of blocks.entries()) {
    const text = withPorts(block.text, server?.port)
    if (block.language === 'sql') await runSql(server as PostgresServer, block.text)
    if (block.language !== 'sh') continue
    if (block.hasOwnTerminal) {
      const other = openTerminal(folder, { PATH: path, PETSTORE_PORT: ports[8080] })
      others.push(other)
      await other.pasteAndLeave(text, isReady)
      continue
    }
    const output = await terminal.paste(text)
    const next = blocks[index + 1]
    if (next?.language !== 'json') continue
    const shown = withPorts(next.text)
    assert.ok(isAsShown(output, shown), `${text}shows ${shown}and printed ${output}`)
  }
}
