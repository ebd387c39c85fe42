import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'

const bench = join(import.meta.dirname, '..')

export function describeMachine(directory: string): Record<string, string> {
  const processors = cpus()
  return {
    processor: processors[0]?.model ?? 'unknown',
    cores: String(processors.length),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: `Linux ${release()}`,
    disk: fileSystemOf(directory),
  }
}

export function describeVersions(): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(join(bench, 'package.json'), 'utf8'))
  return {
    commit: outputOf('git', ['-C', bench, 'rev-parse', '--short=12', 'HEAD']),
    node: process.versions.node,
    'node:sqlite': process.versions.sqlite ?? 'unknown',
    ...dependencies,
  }
}

/** The executable in Bun's platform package; the install script of `bun` itself does not run. */
export function findBun(): string {
  const folder = join(bench, 'node_modules/@oven')
  const [name] = existsSync(folder) ? readdirSync(folder) : []
  if (name === undefined) throw new Error('There is no Bun for this machine among the packages.')
  return join(folder, name, 'bin/bun')
}

/** The type of the file system that holds a directory, such as `ext4` or `tmpfs`. Throws when there is no such directory. */
export function fileSystemOf(directory: string): string {
  const [, type] = outputOf('df', ['--output=fstype', directory]).split('\n')
  if (type === undefined) throw new Error(`df did not return the file system of ${directory}.`)
  return type
}

function outputOf(command: string, args: readonly string[]): string {
  const { stdout, status } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : 'unknown'
}
