/**
 * npm run test:package -- [packages | recipes | image]
 * What users install, used as they do: both packages on each supported Node, by test runners too; the recipes in each language
 * that is installed; the image. Exits with 1 where something does not hold, and says NOT RUN where this machine lacks something.
 */
import { mkdirSync, mkdtempDisposableSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { startPetstore } from '../../src/start-petstore.ts'
import { installPackages } from '../harness/packages.ts'
import { repositoryRoot, startProgram } from '../processes/process.ts'
import { useImage } from './image.ts'
import { projectFiles, testRunners } from './project.ts'
import { useRecipes } from './recipes.ts'

const packages = join(import.meta.dirname, 'node_modules')
/** The oldest that serves a store in memory, the oldest that serves one on disk, and this one. */
const nodes = {
  'Node 22.16': join(packages, 'node-22/bin/node'),
  'Node 24.16': join(packages, 'node-24/bin/node'),
  'Node 26': process.execPath,
}

const workspace = mkdtempDisposableSync(join(tmpdir(), 'petstore package '))
const parts = { packages: usePackages, recipes: useRecipes, image: useImage }
const [wanted] = process.argv.slice(2)
for (const [name, use] of Object.entries(parts).filter(([name]) => name === (wanted ?? name))) {
  try {
    for await (const line of use()) console.log(`${name}: ${line}`)
  } catch (error) {
    console.error(`${name}: FAILED.`, error)
    process.exitCode = 1
  }
}

async function* usePackages() {
  const [service, client] = [join(workspace.path, 'service'), join(repositoryRoot, 'client')]
  for (const folder of [import.meta.dirname, client]) installPackages(folder)
  await run([process.execPath, 'tools/build-package.ts', service], repositoryRoot)
  await run(['npm', 'run', 'build'], client)
  const tarballs = [await pack(service), await pack(client)]
  await using store = await startPetstore()
  const access = { BASE_URL: store.baseUrl, KEY: store.key }
  for (const [name, node] of Object.entries(nodes)) {
    const { folder, env } = await install(name, node, tarballs)
    await serve(folder, env)
    for (const command of testRunners(packages)) await run([node, ...command], folder, env)
    await run([node, 'client.mjs'], folder, { ...env, ...access })
    yield `${name}: npx serves a store, the client uses one, and so do tests of node:test, vitest and jest`
    if (node !== process.execPath) continue
    const bun = [join(packages, '@oven/bun-linux-x64/bin/bun'), 'run', 'client.mjs']
    const deno = [join(packages, '@deno/linux-x64-glibc/deno'), 'run', '-A', 'client.mjs']
    for (const command of [bun, deno]) await run(command, folder, { ...env, ...access })
    await run([node, join(repositoryRoot, 'node_modules/typescript/bin/tsc'), '-p', '.'], folder)
    yield 'the client works on Bun and Deno; strict programs compile, as ES modules and as CommonJS'
  }
}

async function pack(folder: string): Promise<string> {
  const args = ['pack', '--json', '--pack-destination', workspace.path]
  const [{ filename }] = JSON.parse(await run(['npm', ...args], folder))
  return join(workspace.path, filename)
}

/** A folder with the files of a user, where npm installs the packages, and an environment whose first Node is this one. */
async function install(name: string, node: string, tarballs: string[]) {
  const folder = join(workspace.path, name)
  const path = join(folder, 'path')
  mkdirSync(path, { recursive: true })
  symlinkSync(node, join(path, 'node'))
  for (const [file, text] of Object.entries(projectFiles)) writeFileSync(join(folder, file), text)
  // `npm run` names the configuration of this repository.
  const own = Object.entries(process.env).filter(([key]) => !/^npm_|^NODE_/i.test(key))
  const PATH = [path, process.env.PATH].join(delimiter)
  const env = { ...Object.fromEntries(own), PATH, CI: '1' }
  await run(['npm', 'install', '--offline', '--silent', ...tarballs], folder, env)
  const installed = (await run(['npm', 'ls', '--all', '--parseable'], folder, env)).trim()
  if (installed.split('\n').length !== 3) throw new Error(`Two packages became:\n${installed}`)
  return { folder, env }
}

/** Serves in memory by `npx`, with the console built, and lists the pets by a command. */
async function serve(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const npx = ['npx', '--no', 'petstore-service']
  const command = [...npx, 'serve', '--ephemeral', '--port', '0', '--json', '--until-stdin-ends']
  const service = startProgram(command, { cwd: folder, env, stdio: 'pipe' })
  const { baseUrl, key } = JSON.parse((await service.waitFor(/.*\n/))[0])
  await run([...npx, 'pets', 'list'], folder, { ...env, PETSTORE_KEY: key, PETSTORE_URL: baseUrl })
  const page = await (await fetch(new URL('/console/', baseUrl))).text()
  if (!/src="[^"]+\.js"/.test(page)) throw new Error(`The console is not built: ${page}`)
  service.child.stdin?.end()
  const { code, stderr } = await service.exited
  if (code !== 0) throw new Error(`The service ended with ${code}:\n${stderr}`)
}

/** Runs a program to its end, and returns what it printed; throws where it fails. */
async function run(command: string[], cwd: string, env: NodeJS.ProcessEnv = process.env) {
  const { code, stdout, stderr } = await startProgram(command, { cwd, env }).exited
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

workspace.remove()
process.exit()
