import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { environmentWith } from '../../src/config/config.ts'
import { executable } from './command.ts'
import { repositoryRoot, startProgram } from './process.ts'

/** A call that changes or syncs a file, or sends to a server: `rename /tmp/pets.db`, `write server`. */
export type FileCall = { call: string; path: string }

type Watched = {
  args: string[]
  env: Record<string, string>
  /** Calls on other files are not told of. */
  folder: string
  /** Called before the call is made, while all threads of the command wait; `kill` kills it. */
  onCall(call: FileCall, index: number): Promise<'proceed' | 'kill'>
}

let library: string | undefined

/** Runs `petstore ARGS` and asks before each change of a file below a folder. Linux with a C compiler only. */
export async function watchFileCalls({ args, env, folder, onCall }: Watched) {
  library ??= compile()
  const { child, exited, written } = startProgram(executable(...args), {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: environmentWith({ ...env, LD_PRELOAD: library, FILE_CALLS_FOLDER: folder }),
  })
  const asking = child.stdio[3] as Socket
  const calls = createInterface({ input: asking })
  // A killed process does not read the answer. The lines have the errors of their socket, too.
  for (const one of [asking, calls]) one.on('error', () => undefined)
  let index = 0
  calls.on('line', async (line) => {
    const [call = '', ...path] = line.split(' ')
    const answer = await onCall({ call, path: path.join(' ') }, index++)
    asking.write(answer === 'kill' ? 'k' : 'p')
  })
  const { code, signal } = await exited
  return { code, signal, output: written() }
}

function compile(): string {
  const source = join(repositoryRoot, 'test/processes/file-calls.c')
  const file = join(mkdtempSync(join(tmpdir(), 'petstore-file-calls-')), 'file-calls.so')
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', file, source, '-ldl', '-lpthread'])
  if (!existsSync(file)) throw new Error(`${file} was not compiled.`)
  return file
}
