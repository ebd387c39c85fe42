import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenThisProcessIsGone } from './process.ts'

const sizeBytes = 96 * 1024 * 1024
/**
 * Only the service's own syncs may bring its data to the disk before the cut, or a service that syncs too little
 * would pass: by default ext4 commits its journal every 5 s.
 */
const mountOptions = 'loop,data=ordered,commit=300'

/**
 * `_IOR('X', 125, __u32)` with EXT4_GOING_FLAGS_NOLOGFLUSH: the journal is not flushed, and the shutdown cannot be
 * undone.
 */
const cutWithPerl = `
  open(my $directory, '<', $ARGV[0]) or die "$ARGV[0]: $!\\n";
  my $flags = pack('L', 2);
  ioctl($directory, 0x8004587d, $flags) or die "FS_IOC_SHUTDOWN: $!\\n";`
const cutWithPython = `
import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))`

/** An ext4 file system in a file, whose power can be cut. Needs root, Linux and loop devices. */
export class LoopDisk {
  /** Where it is mounted. */
  readonly directory: string
  #home: string
  #image: string
  #isMounted = false
  #callOffGuard: () => void

  constructor() {
    this.#home = mkdtempSync(join(tmpdir(), 'petstore-power-'))
    this.#image = join(this.#home, 'image')
    this.directory = join(this.#home, 'disk')
    this.#callOffGuard = whenThisProcessIsGone('umount -l "$1"; rm -rf --one-file-system -- "$2"', [
      this.directory,
      this.#home,
    ])
    try {
      mkdirSync(this.directory)
      writeFileSync(this.#image, '')
      truncateSync(this.#image, sizeBytes)
      run('mkfs.ext4', ['-q', '-F', this.#image])
      this.mount()
    } catch (error) {
      this[Symbol.dispose]()
      throw error
    }
  }

  /** Replays the journal, as a start after a power cut does. */
  mount(): void {
    run('mount', ['-t', 'ext4', '-o', mountOptions, this.#image, this.directory])
    this.#isMounted = true
  }

  /** From now on every write fails, and what is not in the journal on disk is lost. */
  cutPower(): void {
    const tool = powerTool()
    if (tool === undefined) throw new Error('neither perl nor python3 is there')
    run(tool.command, [...tool.args, this.directory])
  }

  unmount(): void {
    run('umount', [this.directory])
    this.#isMounted = false
  }

  /** Never throws: a busy file system is detached and ends with its last user. */
  [Symbol.dispose](): void {
    if (this.#isMounted) spawnSync('umount', ['-l', this.directory])
    this.#isMounted = false
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 3 })
    this.#callOffGuard()
  }
}

/** Why the power of a disk cannot be cut on this machine, in a phrase; `undefined` when it can. */
export function reasonAgainstPowerCuts(): string | undefined {
  if (process.platform !== 'linux') return `needs Linux, this is ${process.platform}`
  if (process.getuid?.() !== 0) return 'needs root'
  if (powerTool() === undefined) return 'needs perl or python3'
  try {
    using disk = new LoopDisk()
    disk.cutPower()
    return undefined
  } catch (error) {
    return `needs loop devices and mkfs.ext4 (${(error as Error).message.trim()})`
  }
}

function powerTool(): { command: string; args: string[] } | undefined {
  if (answers('perl', ['-e', '1'])) return { command: 'perl', args: ['-e', cutWithPerl] }
  if (answers('python3', ['-c', '1'])) return { command: 'python3', args: ['-c', cutWithPython] }
  return undefined
}

function answers(command: string, args: string[]): boolean {
  return spawnSync(command, args).status === 0
}

function run(command: string, args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
}
