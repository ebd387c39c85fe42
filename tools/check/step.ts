import { spawn } from 'node:child_process'

/** A step of the gate. `check` resolves with the problems, or with an empty string. */
export type Step = { name: string; title: string; check: () => Promise<string> }

/** Runs a step, prints its line and its problems, and resolves with whether it passed. */
export async function run({ name, title, check }: Step): Promise<boolean> {
  const startMs = performance.now()
  const problems = await check().catch((error: unknown) => String(error))
  const isProved = problems === ''
  const seconds = `${((performance.now() - startMs) / 1000).toFixed(1)} s`
  console.log(
    `${isProved ? '✔' : '✖'} ${name.padEnd(12)} ${title.padEnd(42)} ${seconds.padStart(8)}`,
  )
  if (!isProved) console.log(`\n${problems.trimEnd()}\n`)
  return isProved
}

/** Runs node; what it prints is the problem if it does not exit with 0. */
export function node(...args: string[]): () => Promise<string> {
  return async () => {
    const { code, output } = await runNode(args, 'pipe', {})
    return code === 0 ? '' : `${output}\nnode ${args.join(' ')} ended with ${code}.`
  }
}

/** Runs node, which prints as it goes, in this environment and what is added to it. */
export async function nodeAloud(
  args: string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const { code } = await runNode(args, 'inherit', environment)
  return code === 0 ? '' : `The failures stand above: node ended with ${code}.`
}

type End = { code: number | NodeJS.Signals | null; output: string }

function runNode(
  args: string[],
  stdio: 'pipe' | 'inherit',
  environment: Record<string, string>,
): Promise<End> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', stdio, stdio],
    })
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({ code: code ?? signal, output: Buffer.concat(chunks).toString() }),
    )
  })
}
