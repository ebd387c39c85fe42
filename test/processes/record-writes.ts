import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a process did to the files of one directory, in order; `directory` is the name of the directory itself. */
export type FileEvent =
  | { kind: 'create' | 'unlink' | 'beginSync' | 'sync'; name: string }
  | { kind: 'write'; name: string; offset: number; bytes: Buffer }
  | { kind: 'truncate'; name: string; size: number }
  | { kind: 'acknowledge'; count: number }

export const directory = '.'

const program = fileURLToPath(new URL('./recorded-store.ts', import.meta.url))
const calls =
  'openat,pwrite64,write,ftruncate,fsync,fdatasync,unlink,unlinkat,rename,renameat,renameat2'
const bytesMax = 1 << 20

/** Why no writes can be recorded on this machine. */
export function reasonAgainstRecording(): string | undefined {
  return spawnSync('strace', ['-V']).status === 0 ? undefined : 'it needs strace'
}

/** Records what `recorded-store.ts` does to the files of its store. */
export function recordStore(): FileEvent[] {
  using home = mkdtempDisposableSync(join(tmpdir(), 'petstore-recorded-'))
  const trace = join(home.path, 'trace')
  const store = join(home.path, 'store', 'petstore.db')
  mkdirSync(dirname(store))
  const options = ['-f', '-y', '-xx', '-s', String(bytesMax), '-e', `trace=${calls}`, '-o', trace]
  const run = spawnSync('strace', [...options, process.execPath, program, store])
  assert.equal(run.status, 0, String(run.stderr))
  return eventsOf(readFileSync(trace, 'latin1'), dirname(store))
}

/** A call that another thread has interrupted stands in two lines. */
const unfinished = / <unfinished \.\.\.>$/
const resumed = /^(\d+) <\.\.\. \w+ resumed>(.*)$/

function eventsOf(trace: string, home: string): FileEvent[] {
  const events: FileEvent[] = []
  const begun = new Map<string, string>()
  for (const line of trace.split('\n')) {
    const [, process = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const [, , rest] = resumed.exec(line) ?? []
    if (unfinished.test(line)) {
      begun.set(process, call.replace(unfinished, ''))
      events.push(...beginOf(call, home))
    } else if (rest !== undefined) {
      events.push(...eventOf(`${begun.get(process)}${rest}`, home))
    } else {
      events.push(...beginOf(call, home), ...eventOf(call, home))
    }
  }
  return events
}

/** A sync covers what was written before it began. */
function beginOf(call: string, home: string): FileEvent[] {
  const name = /^f(?:data)?sync\(\d+<(.*?)>/.exec(call)?.[1]
  return name === undefined ? [] : namesIn(home, name).map((name) => ({ kind: 'beginSync', name }))
}

function eventOf(text: string, home: string): FileEvent[] {
  const [, call = '', given = '', result = ''] = /^(\w+)\((.*)\) += (-?\d+)/.exec(text) ?? []
  if (Number(result) < 0 || call === '') return []
  const path = /^\d+<(.*?)>/.exec(given)?.[1] ?? /"(.*?)"/.exec(given)?.[1] ?? ''
  const [, data = '', numbers = ''] = /"(.*?)"(.*)$/.exec(given) ?? []
  if (call === 'write' && given.startsWith('1<')) {
    return [{ kind: 'acknowledge', count: Number(bytesOf(data).toString()) }]
  }
  return namesIn(home, call === 'openat' ? data : path).flatMap((name): FileEvent[] => {
    switch (call) {
      case 'openat':
        return /O_CREAT/.test(given) ? [{ kind: 'create', name }] : []
      case 'pwrite64': {
        const offset = Number(numbers.split(', ')[2])
        return [{ kind: 'write', name, offset, bytes: bytesOf(data) }]
      }
      case 'ftruncate':
        return [{ kind: 'truncate', name, size: Number(given.split(', ')[1]) }]
      case 'fsync':
      case 'fdatasync':
        return [{ kind: 'sync', name }]
      case 'unlink':
        return [{ kind: 'unlink', name }]
      default:
        throw new Error(`${call} of ${name} is not simulated.`)
    }
  })
}

function bytesOf(escaped: string): Buffer {
  return Buffer.from(escaped.replaceAll('\\x', ''), 'hex')
}

/** The name of the file in the directory; none for the index of the log and the lock, which a crash leaves behind. */
function namesIn(home: string, escaped: string): string[] {
  const path = bytesOf(escaped).toString()
  if (path === home) return [directory]
  return dirname(path) === home && !/-shm$|\.lock$/.test(path) ? [basename(path)] : []
}
