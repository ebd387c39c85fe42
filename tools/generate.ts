import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { contract } from '../src/app/operations.ts'
import { root as storeCommands } from '../src/cli/commands.ts'
import { eventTypes } from '../src/features/event-types.ts'
import { assembleDocument } from '../src/openapi/document.ts'
import { shareRepeated } from '../src/openapi/share-repeated.ts'
import { clientModules, clientReadme } from './generate/client.ts'
import { clientOperationsOf, type Document } from './generate/client-operations.ts'
import { commandGuide, commandTable, storeCommandGuide } from './generate/commands.ts'
import { writeJson } from './generate/write-json.ts'

const root = join(import.meta.dirname, '..')
const clientFolder = join(root, 'client/src/generated')
const readmePath = join(root, 'client/README.md')
const guidePath = join(root, 'docs/operations/service-commands.md')
const storeGuidePath = join(root, 'docs/operations/commands.md')

const document = assembleDocument(contract, eventTypes)
const operations = clientOperationsOf(document as Document, contract)
const commands = commandTable(document as Document, operations)

/** Generated files, which are committed. */
const generated = new Map([
  [join(root, 'openapi.json'), `${writeJson(shareRepeated(document))}\n`],
  [join(root, 'src/cli/operations/table.json'), `${writeJson(commands)}\n`],
  [guidePath, commandGuide(commands, readFileSync(guidePath, 'utf8'))],
  [storeGuidePath, storeCommandGuide(storeCommands, readFileSync(storeGuidePath, 'utf8'))],
  [readmePath, clientReadme(operations, readFileSync(readmePath, 'utf8'))],
  ...clientModules(document as Document, operations).map(([path, text]): [string, string] => [
    join(clientFolder, path),
    text,
  ]),
])

const isCheck = process.argv.includes('--check')
const isFresh = (path: string, text: string) => {
  try {
    return readFileSync(path, 'utf8') === text
  } catch {
    return false
  }
}

const stale = [...generated].filter(([path, text]) => !isFresh(path, text))
const leftOver = globSync(join(clientFolder, '*')).filter((path) => !generated.has(path))
if (!isCheck) {
  for (const [path, text] of stale) writeFileSync(path, text)
  for (const path of leftOver) rmSync(path)
}
for (const path of [...stale.map(([path]) => path), ...leftOver]) {
  const name = relative(root, path)
  console.log(
    isCheck
      ? `${name} is not what the source makes of it; run npm run generate.`
      : `${name} is ${generated.has(path) ? 'written' : 'deleted'}.`,
  )
}
if (isCheck && stale.length + leftOver.length > 0) process.exitCode = 1
