import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { directory, type FileEvent } from '../processes/record-writes.ts'
import type { SeededRandom } from './seeded-random.ts'

const sectorBytes = 512

type Change = Extract<FileEvent, { kind: 'write' | 'truncate' }>
/** A file: what is on the disk for certain, and what was changed since the last sync. */
type SimulatedFile = { synced: Buffer; changes: Change[]; covered: number }
type Entry = { name: string; file: SimulatedFile | undefined }

/** A disk that keeps what was synced. Of the rest a power cut leaves any sectors, and the first of the changed names. */
export class SimulatedDisk {
  #names = new Map<string, SimulatedFile>()
  #syncedNames = new Map<string, SimulatedFile>()
  #changes: Entry[] = []
  #coveredNames = 0

  apply(event: FileEvent): void {
    if (event.kind === 'acknowledge') return
    if (event.name === directory) {
      this.#syncNames(event.kind)
      return
    }
    const file = this.#names.get(event.name)
    if (event.kind === 'create') {
      if (!file) this.#rename(event.name, { synced: Buffer.alloc(0), changes: [], covered: 0 })
    } else if (!file) throw new Error(`${event.kind} of ${event.name}, which is not there.`)
    else if (event.kind === 'unlink') this.#rename(event.name, undefined)
    else if (event.kind === 'beginSync') file.covered = file.changes.length
    else if (event.kind === 'sync') {
      file.synced = file.changes.splice(0, file.covered).reduce(change, file.synced)
      file.covered = 0
    } else file.changes.push(event as Change)
  }

  #rename(name: string, file: SimulatedFile | undefined) {
    if (file) this.#names.set(name, file)
    else this.#names.delete(name)
    this.#changes.push({ name, file })
  }

  #syncNames(kind: FileEvent['kind']) {
    if (kind === 'beginSync') this.#coveredNames = this.#changes.length
    if (kind === 'sync') put(this.#syncedNames, this.#changes.splice(0, this.#coveredNames))
  }

  /** Writes what a kill leaves: all of it. */
  leaveAfterKill(home: string): void {
    for (const [name, { synced, changes }] of this.#names) {
      writeFileSync(join(home, name), changes.reduce(change, synced))
    }
  }

  /** Writes what a power cut leaves. */
  leaveAfterCut(home: string, random: SeededRandom): void {
    const names = new Map(this.#syncedNames)
    put(names, this.#changes.slice(0, Math.floor(random.between(0, this.#changes.length + 1))))
    for (const [name, { synced, changes }] of names) {
      const probability = [0, 0.5, 1][Math.floor(random.between(0, 3))] as number
      const kept = changes
        .flatMap((one) => sectorsOf(one))
        .filter(() => random.next() < probability)
      writeFileSync(join(home, name), kept.reduce(change, synced))
    }
  }
}

function put(names: Map<string, SimulatedFile>, entries: readonly Entry[]) {
  for (const { name, file } of entries) {
    if (file) names.set(name, file)
    else names.delete(name)
  }
}

function change(before: Buffer, one: Change): Buffer {
  if (one.kind === 'truncate') {
    return Buffer.concat([before, Buffer.alloc(Math.max(0, one.size - before.length))], one.size)
  }
  const after = Buffer.alloc(Math.max(before.length, one.offset + one.bytes.length))
  before.copy(after)
  one.bytes.copy(after, one.offset)
  return after
}

function sectorsOf(one: Change): Change[] {
  if (one.kind === 'truncate') return [one]
  const sectors: Change[] = []
  for (let at = 0; at < one.bytes.length; ) {
    const length = sectorBytes - ((one.offset + at) % sectorBytes)
    const bytes = one.bytes.subarray(at, at + length)
    sectors.push({ ...one, offset: one.offset + at, bytes })
    at += length
  }
  return sectors
}
