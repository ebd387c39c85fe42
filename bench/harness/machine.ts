import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
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

/** What kind of file system a directory is on: that of the mount point next above it. Throws where there is no such directory. */
export function fileSystemOf(
  directory: string,
  mounts = readFileSync('/proc/self/mounts', 'utf8'),
): string {
  const path = `${realpathSync(directory)}/`
  let next = { point: '', type: 'unknown' }
  for (const line of mounts.trim().split('\n')) {
    const [, escaped = '', type = ''] = line.split(' ')
    const point = escaped.replace(/\\(\d{3})/g, (_, octal) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    )
    const isAbove = path.startsWith(point === '/' ? point : `${point}/`)
    // Of those at one point the last one covers the others.
    if (isAbove && point.length >= next.point.length) next = { point, type }
  }
  return next.type
}

function printedBy(command: string, args: readonly string[]): string {
  const { stdout, status } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : 'unknown'
}
