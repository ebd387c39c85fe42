import { existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onlyBlock } from '../harness/documents.ts'
import { until } from '../harness/until.ts'
import { environmentFor, type Program, repositoryRoot, startProgram } from './process.ts'

export type Language = {
  /** The file that the guide names. */
  file: string
  command: [program: string, ...args: string[]]
  /** Succeeds where the language and its test runner are installed. */
  installed: [program: string, ...args: string[]]
  /** Files that a project of the language has. */
  besides?: Record<string, string>
}

/** The package `junit5` of Debian has it here. */
const junit = '/usr/share/java/junit-platform-console-standalone.jar'

/** By the language of the block in `docs/guides/recipes.md`. */
export const languages: Record<string, Language> = {
  js: {
    file: 'pets.test.mjs',
    command: [process.execPath, '--test', 'pets.test.mjs'],
    installed: [process.execPath, '--version'],
  },
  python: {
    file: 'test_pets.py',
    command: ['python3', '-m', 'pytest', '-p', 'no:cacheprovider', 'test_pets.py'],
    installed: ['python3', '-m', 'pytest', '--version'],
  },
  java: {
    file: 'PetsTest.java',
    command: [
      'sh',
      '-c',
      `javac -cp ${junit} -d out PetsTest.java && exec java -jar ${junit} --disable-banner --class-path out --select-class PetsTest`,
    ],
    installed: ['sh', '-c', `javac --version && java -jar ${junit} --list-engines`],
  },
  go: {
    file: 'pets_test.go',
    command: ['go', 'test'],
    installed: ['go', 'version'],
    besides: { 'go.mod': 'module pets\n\ngo 1.19\n' },
  },
  ruby: {
    file: 'pets_test.rb',
    command: ['ruby', 'pets_test.rb'],
    installed: ['ruby', '-e', 'require "minitest"; puts RUBY_DESCRIPTION'],
  },
  bash: {
    file: 'pets-test.sh',
    command: ['sh', 'pets-test.sh'],
    installed: ['curl', '--version'],
  },
}

/** The slowest, Go's first, takes 20 s on a busy machine. */
const runMaxMs = 400_000

/** The store that a recipe starts writes its process ids here: its own, and that of the process which started it. */
const pidsFile = 'pids.json'

const storeWith = (options: string) => `#!/bin/sh
echo "[$$,$PPID]" > ${pidsFile}
exec '${process.execPath}' '${repositoryRoot}bin/petstore.js' "$@" ${options}
`

/** Delays each response, so that the recipe waits until it is killed. */
const silentStore = `#!/bin/sh
exec '${process.execPath}' --eval "$(sed 1,3d "$0")" -- "$@"
exit
const { spawn } = require('node:child_process')
const { writeFileSync } = require('node:fs')
const args = ['${repositoryRoot}bin/petstore.js', ...process.argv.slice(1)]
const child = spawn(process.execPath, args, { stdio: ['inherit', 'pipe', 'inherit'] })
child.stdout.once('data', async (line) => {
  const { baseUrl, key } = JSON.parse(line)
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
  const faults = baseUrl.replace('/v1', '/test-bench/faults')
  await fetch(faults, { method: 'POST', headers, body: '{"delayMs":600000}' })
  writeFileSync('${pidsFile}', JSON.stringify([child.pid, process.ppid]))
  process.stdout.write(line)
})
child.once('exit', (code) => (process.exitCode = code))
`

/** Runs the recipe to its end. Throws where it fails, or where its store is left. */
export async function passRecipe(name: string): Promise<void> {
  await inProject(name, storeWith(''), async (run, pids) => {
    const { code } = await run.exited
    if (code !== 0) throw new Error(`The recipe ended with exit code ${code}: ${run.written()}`)
    // A recipe that passes waits for its store.
    if (isAlive(pids()[0])) throw new Error('The store is left.')
  })
}

/** Runs the recipe with a store that has another pet. Throws where it passes all the same, or where its store is left. */
export async function failRecipe(name: string): Promise<void> {
  await inProject(name, storeWith('--seed 1'), async (run, pids) => {
    if ((await run.exited).code === 0) throw new Error(`The recipe passes: ${run.written()}`)
    const [store] = pids()
    await until(() => !isAlive(store))
  })
}

/** Kills the process that started the store, in the middle of a request. Throws where the store is left. */
export async function killRecipe(name: string): Promise<void> {
  await inProject(name, silentStore, async (run, pids) => {
    await until(() => {
      if (run.hasEnded()) throw new Error(`The recipe has ended: ${run.written()}`)
      return pids().length > 0
    })
    const [store, starter] = pids() as [number, number]
    process.kill(starter, 'SIGKILL')
    await until(() => !isAlive(store))
    await run.exited
  })
}

/** Starts the recipe in a folder of its own, whose `bin/petstore` is `store`. `pids` is empty until the store has started. */
async function inProject(
  name: string,
  store: string,
  use: (run: Program, pids: () => number[]) => Promise<void>,
): Promise<void> {
  const { file, command, besides = {} } = languages[name] as Language
  using home = mkdtempDisposableSync(join(tmpdir(), 'petstore-recipe-'))
  const folder = home.path
  mkdirSync(join(folder, 'bin'))
  for (const [path, text] of Object.entries({
    ...besides,
    [file]: onlyBlock('docs/guides/recipes.md', name),
  }))
    writeFileSync(join(folder, path), text)
  writeFileSync(join(folder, 'bin/petstore'), store, { mode: 0o755 })
  const pids = () => {
    const path = join(folder, pidsFile)
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8') || '[]') : []
  }
  const run = startProgram(command, { cwd: folder, env: environmentFor() })
  const end = () => {
    run.child.kill('SIGKILL')
    const [store] = pids()
    if (isAlive(store)) process.kill(store, 'SIGKILL')
  }
  // A recipe waits for its store, which may never stop.
  const timer = setTimeout(end, runMaxMs)
  try {
    await use(run, pids)
  } finally {
    clearTimeout(timer)
    end()
    await run.exited
  }
}

function isAlive(pid = 0): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}
