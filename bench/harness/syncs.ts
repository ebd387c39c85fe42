import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const countOffset = 8
const lengthBytes = 16

/** Counts and delays the syncs of one process. */
export type Syncs = {
  /** The environment that the process must be started with. */
  env: Record<string, string>
  count(): number
  /** Delays each sync from now on. */
  delay(ms: number): void
}

/** Compiles the library that servers preload. Throws without a C compiler. */
export function compileSyncs(directory: string): string {
  const library = join(directory, 'syncs.so')
  const source = join(import.meta.dirname, 'syncs.c')
  const { status, error, stderr } = spawnSync(
    'cc',
    ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl'],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`cc did not compile syncs.c: ${error?.message ?? stderr}`)
  return library
}

export function watchSyncs(library: string, path: string): Syncs {
  writeFileSync(path, Buffer.alloc(lengthBytes))
  return {
    env: { LD_PRELOAD: library, BENCH_SYNCS: path },
    count: () => Number(readFileSync(path).readBigUInt64LE(countOffset)),
    delay: (ms) => writeFileSync(path, new BigUint64Array([BigInt(ms * 1_000)]), { flag: 'r+' }),
  }
}
