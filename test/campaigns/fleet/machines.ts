import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { documents, example } from '../../harness/documents.ts'
import { repositoryRoot, startProgram, whenThisProcessIsGone } from '../../processes/process.ts'

// The machines of the guide are folders of this one, with addresses of the loopback network.

const guide = documents().find(({ path }) => path.endsWith('/from-one-machine-to-many.md'))

/** A machine of the guide. `rewrite` puts its name, address and folder into a text of the guide. */
export type Machine = {
  name: string
  address: string
  folder: string
  rewrite(text: string): string
}

export function createMachines(folder: string, network: string): [Machine, Machine, Machine] {
  const create = (name: string, number: number): Machine => {
    const address = `${network}${number}`
    const own = join(folder, name)
    mkdirSync(join(own, 'var/run/postgresql'), { recursive: true })
    const rewrite = (text: string) =>
      text
        .replaceAll(/\bADDRESS\b/g, address)
        .replaceAll(/\bNAME\b/g, name)
        .replaceAll('10.0.0.0/24', '127.0.0.0/8')
        .replaceAll('10.0.0.', network)
        .replaceAll(/(?<!\w)\/(?:etc|var)\//g, `${own}$&`)
    return { name, address, folder: own, rewrite }
  }
  return [create('one', 11), create('two', 12), create('three', 13)]
}

const examples = readdirSync(join(repositoryRoot, 'docs/examples/fleet')).map((file) =>
  example(`fleet/${file}`),
)

/** The file of the guide whose first line is this comment. */
export function fileOf(machine: Machine, name: string): string {
  const text = examples.find((one) => one.startsWith(`# ${name}\n`))
  if (!text) throw new Error(`docs/examples/fleet/ has no ${name}.`)
  return machine.rewrite(text)
}

/** The statements of the guide. */
export function statements(): string {
  return guide?.blocks.find(({ language }) => language === 'sql')?.text ?? ''
}

/** Writes a file of the guide, with what a test has to replace in it, and returns its path. */
export function writeFile(
  machine: Machine,
  name: string,
  replace = (text: string) => text,
  text = fileOf(machine, name),
): string {
  const path = machine.rewrite(name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, replace(text))
  return path
}

/** Settings of a file with a variable in each line. */
export function settingsOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line))
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/)))
}

const commands = new Set(
  guide?.blocks.filter(({ language }) => language === 'console').flatMap(linesOf) ?? [],
)
const run = new Set<string>()

/** Runs a command of the guide on a machine; returns its output. Throws where the guide does not have it, or it fails. */
export async function runCommand(machine: Machine, command: string): Promise<string> {
  noteCommand(command)
  const nginx = `nginx() { command nginx -c ${machine.rewrite('/etc/nginx/nginx.conf')} "$@"; }`
  const script = `${nginx}; ${machine.rewrite(command)}`
  const { exited, written } = startProgram(['bash', '-ec', script], { cwd: machine.folder })
  if ((await exited).code !== 0) throw new Error(`${command}: ${written().slice(-1_000)}`)
  return written()
}

/** Notes a command of the guide whose effect a test has without its program, such as systemd. */
export function noteCommand(command: string): void {
  if (!commands.has(command)) throw new Error(`The guide does not have: ${command}`)
  run.add(command)
}

/** The commands of the guide that were not run. */
export function commandsLeft(): string[] {
  return [...commands].filter((command) => !run.has(command))
}

function linesOf({ text }: { text: string }): string[] {
  return text.trim().split('\n')
}

/** A program that runs until it is ended. */
export type Daemon = { signal(name: NodeJS.Signals): Promise<void> }

type DaemonOptions = { user?: string; env?: Record<string, string> }

/**
 * Starts a program. It gets more of the processors than the clients, which share them here and would not in a real fleet: otherwise
 * load alone would cause elections.
 */
export function startDaemon(
  { folder }: Machine,
  [file, ...args]: readonly [string, ...string[]],
  { user, env = {} }: DaemonOptions = {},
): Daemon {
  const log = openSync(join(folder, `${file.split('/').at(-1)}.log`), 'a')
  const child: ChildProcess = spawn(file, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ['ignore', log, log],
    ...(user === undefined ? {} : { uid: idOf(user, '-u'), gid: idOf(user, '-g') }),
  })
  const pid = child.pid as number
  whenThisProcessIsGone('kill -9 "$1"', [String(pid)], child)
  setPriority(pid, -10)
  const exited = once(child, 'exit')
  return {
    async signal(name) {
      child.kill(name)
      if (name !== 'SIGSTOP' && name !== 'SIGCONT') await exited
    },
  }
}

function idOf(user: string, which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, user], { encoding: 'utf8' }))
}

/** Throws unless the programs of the guide are here. */
export function requirePrograms(): void {
  const programs = ['bin/patroni', 'bin/etcd', 'sbin/nginx', 'sbin/pgbouncer', 'lib/postgresql/15']
  const missing = programs.filter((program) => !existsSync(`/usr/${program}`))
  if (process.getuid?.() !== 0 || missing.length > 0)
    throw new Error(
      `It needs root, and: apt-get install postgresql patroni etcd-server pgbouncer nginx. Missing: ${missing}`,
    )
}

/** Gives a machine's files to the user of PostgreSQL. */
export function giveToPostgres({ folder }: Machine): void {
  execFileSync('chown', ['-R', 'postgres:', folder])
}

/** The postmaster and its sessions. */
export function serverPids({ rewrite }: Machine): number[] {
  const file = rewrite('/var/lib/postgresql/15/petstore/postmaster.pid')
  if (!existsSync(file)) return []
  const postmaster = Number.parseInt(readFileSync(file, 'utf8'), 10)
  const children = `/proc/${postmaster}/task/${postmaster}/children`
  if (!existsSync(children)) return []
  // A 0 would signal the processes of the campaign itself.
  return [postmaster, ...(readFileSync(children, 'utf8').match(/\d+/g) ?? []).map(Number)]
}
