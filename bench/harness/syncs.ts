import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const delayOffset = 8
const lengthBytes = 16

/** The syncs of one process: counted, and slowed down on demand. */
export type Syncs = {
  /** What the process has to be started with. */
  env: Record<string, string>
  count(): number
  /** Each sync takes so much longer from now on. */
  delay(ms: number): void
}

/** Compiles what is preloaded into servers; a sentence on why it cannot be where there is no C compiler. */
export function compileSyncs(directory: string): { library: string } | { reason: string } {
  const library = join(directory, 'syncs.so')
  const source = join(import.meta.dirname, 'syncs.c')
  const { status, error, stderr } = spawnSync(
    'cc',
    ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl'],
    { encoding: 'utf8' },
  )
  if (status === 0) return { library }
  return { reason: `syncs cannot be counted without a C compiler (${error?.message ?? stderr})` }
}

export function watchSyncs(library: string, path: string): Syncs {
  writeFileSync(path, Buffer.alloc(lengthBytes))
  return {
    env: { LD_PRELOAD: library, BENCH_SYNCS: path },
    count: () => Number(readFileSync(path).readBigUInt64LE(0)),
    delay(ms) {
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64LE(BigInt(ms * 1_000))
      const fd = openSync(path, 'r+')
      writeSync(fd, bytes, 0, bytes.length, delayOffset)
      closeSync(fd)
    },
  }
}
