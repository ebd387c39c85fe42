import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { aDirectory } from './command.ts'
import { startProgram } from './process.ts'

export const skipWithout = (program: string) =>
  spawnSync('which', [program]).status === 0 ? false : `needs ${program}`

/** Runs nginx with this site until the end of the test. */
export function runNginx(t: TestContext, site: string): void {
  const folder = aDirectory(t)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const path = join(folder, 'nginx.conf')
  writeFileSync(
    path,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;\nevents { worker_connections 4096; }\nhttp { access_log off; ${paths.join(' ')}\n${site}}\n`,
  )
  chmodSync(folder, 0o755)
  runProgram(t, 'nginx', ['-p', folder, '-c', path])
}

/** Runs a program until the end of the test. */
export function runProgram(t: TestContext, command: string, args: string[], env = {}): void {
  const program = startProgram([command, ...args], { env: { PATH: process.env.PATH, ...env } })
  t.after(() => program.stop())
}
