import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'

const bench = join(import.meta.dirname, '..')
const packages = ['fastify', 'express', 'better-sqlite3', 'elysia', 'pg']

/** Where it was measured. */
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

/** What was measured. */
export function describeVersions(bun: string): Record<string, string> {
  const versionOf = (name: string) =>
    JSON.parse(readFileSync(join(bench, 'node_modules', name, 'package.json'), 'utf8')).version
  return {
    commit: printedBy('git', ['-C', bench, 'rev-parse', '--short=12', 'HEAD']),
    node: process.versions.node,
    'node:sqlite': process.versions.sqlite ?? 'unknown',
    bun: printedBy(bun, ['--version']),
    ...Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  }
}

/** What kind of file system a directory is on. */
export function fileSystemOf(directory: string): string {
  return printedBy('df', ['--output=fstype', directory]).split('\n').at(-1) ?? 'unknown'
}

function printedBy(command: string, args: readonly string[]): string {
  const { stdout, status } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : 'unknown'
}
