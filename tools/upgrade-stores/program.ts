import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '../..')

/** A copy of the program. */
export type Program = ReturnType<typeof copyProgram>

type Env = Record<string, string>

/** Copies the program of a commit, or of the working tree. */
export function copyProgram(commit: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-of-'))
  if (commit === undefined) copyWorkingTree(folder)
  else copyCommit(commit, folder)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const start = (args: readonly string[], env: Env) =>
    spawn(process.execPath, [join(folder, 'bin/petstore.js'), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, PETSTORE_ENVIRONMENT: 'staging', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  return {
    folder,
    /** Runs a command to its end; returns standard output. */
    async run(args: readonly string[], env: Env) {
      const child = start(args, env)
      let stdout = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
      const [code] = (await once(child, 'close')) as [number]
      return { code, stdout }
    },
    /** Serves; resolves once it is ready. */
    async serve(env: Env) {
      const child = start(['serve', '--port', '0', '--json'], env)
      const ended = once(child, 'exit')
      const lines = createInterface(child.stdout)
      const ready = await Promise.race([once(lines, 'line'), ended.then(() => undefined)])
      if (ready === undefined) throw new Error(`The program in ${folder} did not start.`)
      const { baseUrl } = JSON.parse(ready[0]) as { baseUrl: string }
      return {
        baseUrl,
        async stop() {
          child.kill('SIGTERM')
          const [code] = await ended
          if (code !== 0) throw new Error(`The program in ${folder} ended with ${code}.`)
        },
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function copyCommit(commit: string, folder: string) {
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
}

function copyWorkingTree(folder: string) {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = String(execFileSync('git', listing, { cwd: root })).split('\0')
  for (const path of paths.filter((name) => /^(?!test\/|bench\/)./.test(name))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(root, path), join(folder, path))
  }
}
