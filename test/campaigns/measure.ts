import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { markdownTable, shown } from '../../bench/report/tables.ts'
import { call } from '../harness/petstore.ts'
import { type OwnPostgres, postmasterOf, startPostgres } from '../processes/postgres.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'

/** A folder for stores, and a PostgreSQL of its own on that engine. `stack` ends what is in them. */
type Bench = {
  engine: string
  directory: string
  server: OwnPostgres | undefined
  stack: AsyncDisposableStack
}

/** Measures on the engine that is named, else on both. */
export async function onEngines(
  engine: string,
  settings: readonly string[],
  measure: (bench: Bench) => Promise<void>,
): Promise<void> {
  for (const one of engine === '' ? ['sqlite', 'postgres'] : [engine]) {
    await using stack = new AsyncDisposableStack()
    const directory = mkdtempSync(join(tmpdir(), 'petstore-measured-'))
    stack.defer(() => rmSync(directory, { recursive: true, force: true }))
    const server = one === 'postgres' ? await startPostgres(settings) : undefined
    stack.defer(() => server?.stop())
    await measure({ engine: one, directory, server, stack })
  }
}

/** A service, the processes that work for it, and its settings. */
export type Subject = { service: Service; pids: number[]; env: Record<string, string> }

/** Serves a new store, which `fill` has filled while nobody served it. */
export async function serveFilled(
  { directory, server, stack }: Bench,
  fill: (address: string) => Promise<void>,
  { env: more = {}, wrapper = [] as string[] } = {},
): Promise<Subject> {
  const own = settingsFor(mkdtempSync(join(directory, 'store-')))
  const address = (await server?.createDatabase()) ?? (own.PETSTORE_DATABASE as string)
  const env: Record<string, string> = { ...own, PETSTORE_DATABASE: address, ...more }
  // Migrated by its first start.
  await (await startService({ env })).stop()
  await fill(address)
  const service = await startService({ env, wrapper })
  stack.defer(async () => void (await service.stop()))
  return { service, pids: [service.pid, ...(server ? [await postmasterOf(server)] : [])], env }
}

/** Sends a body as JSON; returns the id and the key in the response, if any. Throws unless it succeeds. */
export async function post(
  service: Service,
  path: string,
  body: object,
): Promise<{ id: number; key: string }> {
  const response = await call(service, path, { method: 'POST', body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text === '' ? { id: 0, key: '' } : JSON.parse(text)
}

/**
 * A program of this folder in a process of its own. It would run on other machines, so unless it has another wrapper it leaves the
 * processors to the service and to the client that is measured.
 */
export function startBeside(
  name: string,
  args: readonly (string | number)[],
  wrapper: readonly string[] = ['nice', '-n', '19'],
) {
  const program = [process.execPath, join(import.meta.dirname, name), ...args.map(String)]
  const [file = '', ...rest] = [...wrapper, ...program]
  const child = spawn(file, rest, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  /** Its next line, which is JSON. Throws where it ended without one. */
  const next = async () => JSON.parse(String((await lines.next()).value))
  return {
    next,
    /** What it prints for a line of input. */
    ask() {
      child.stdin.write('\n')
      return next()
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}

/** This process exits with 1. */
export function fail(sentence: string): void {
  console.error(`FAILED, ${sentence}.`)
  process.exitCode = 1
}

/** Fails where a value is above its limit, or none. */
export function requireAtMost(what: string, value: number, max: number): void {
  if (!(value <= max)) fail(`${what}: ${shown(value)} instead of at most ${max}`)
}

/** Numbers are shown with three digits, or as integers. */
export function printTable(rows: readonly (readonly (string | number)[])[]): void {
  console.log(`\n${tableOf(rows)}\n`)
}

export function tableOf(rows: readonly (readonly (string | number)[])[]): string {
  return markdownTable(
    rows.map((row) => row.map((cell) => (typeof cell === 'number' ? shown(cell) : cell))),
  )
}
