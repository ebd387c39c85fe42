/**
 * npm run test:tools -- [WORD …]
 * Runs each tool of tools.ts and int64.ts with a store, then with a fault that it must notice; with words, those whose name
 * contains one. Exits with 1 where a tool prints something else. Tools of languages that are not installed are NOT TRIED.
 */
import { mkdtempDisposableSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { startPetstore } from '../../src/start-petstore.ts'
import { installPackages } from '../harness/packages.ts'
import { call } from '../harness/petstore.ts'
import { freePort } from '../processes/command.ts'
import { startProgram } from '../processes/process.ts'
import { int64Tools } from './int64.ts'
import type { Files, Tool } from './tool.ts'
import { documentTools } from './tools.ts'

/** Many times what any tool takes. */
const hangMs = 300_000
const packages = join(import.meta.dirname, 'node_modules')
const path = [join(packages, '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter)

const tools = [...documentTools, ...int64Tools()]
const words = process.argv.slice(2)
const chosen = tools.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
)
if (chosen.length === 0)
  throw new Error(`Name some of these tools:\n${tools.map(({ name }) => name).join('\n')}`)
installPackages(import.meta.dirname)
for (const tool of chosen) await tryTool(tool)
process.exit()

async function tryTool(tool: Tool) {
  const { name, needs = 'true', prints, fault } = tool
  if ((await run(needs, import.meta.dirname)).code !== 0)
    return console.log(`– ${name}: NOT TRIED, since this fails: ${needs}`)
  const sound = await runWithStore(tool)
  show(sound.code === 0 && prints.test(sound.output), name, sound.output)
  if (fault === undefined) return
  const { code, output } = await runWithStore(tool, fault.change)
  const isNoticed = fault.prints.test(output) && (code !== 0 || !prints.test(output))
  show(isNoticed, `${name} notices ${fault.fault}`, output)
}

function show(isSo: boolean, what: string, output: string) {
  console.log(isSo ? `✔ ${what}` : `✖ ${what}:\n${output.trim().replaceAll(/^/gm, '    ')}`)
  if (!isSo) process.exitCode = 1
}

/** Runs a tool in a folder of its own, with a store of its own. */
async function runWithStore(
  { command, files, store: options }: Tool,
  change?: (files: Files) => void,
) {
  await using store = await startPetstore(options)
  // The pet of the guide on int64, whose category no double holds.
  const first = { method: 'POST', body: '{"name":"Zoe","categoryId":9007199254740995}' }
  if (options?.firstId !== undefined) await call(store, '/pets', first)
  const written: Files = { 'package.json': '{"type":"module"}', ...files }
  for (const name of ['openapi.json', 'arazzo.json'])
    written[name] = await (await call(store, `/${name}`)).text()
  change?.(written)
  using directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-tools-'))
  for (const [name, text] of Object.entries(written))
    writeFileSync(join(directory.path, name), text)
  symlinkSync(packages, join(directory.path, 'node_modules'))
  return await run(command, directory.path, { BASE_URL: store.baseUrl, KEY: store.key })
}

async function run(command: string, cwd: string, env: Record<string, string> = {}) {
  const quietly = {
    NO_COLOR: '1',
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  }
  const all = { ...process.env, ...quietly, PATH: path, PORT: await freePort(), ...env }
  const program = startProgram(['sh', '-c', command], { cwd, env: all, detached: true })
  // With what it has started.
  const timer = setTimeout(() => process.kill(-program.pid, 'SIGKILL'), hangMs)
  const { code } = await program.exited
  clearTimeout(timer)
  return { code, output: program.written() }
}
