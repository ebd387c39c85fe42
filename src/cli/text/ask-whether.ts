import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Asks on the terminal; anything but yes is no. Returns `undefined` without a terminal. */
export async function askWhether(question: string): Promise<boolean | undefined> {
  const answer = await ask(`${question} [y/N] `, process.stderr)
  return answer === undefined ? undefined : /^y(es)?$/i.test(answer.trim())
}

/** Asks on the terminal for what is not shown. Returns `undefined` without a terminal. */
export async function askSecret(question: string): Promise<string | undefined> {
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() })
  // Asked once the terminal shows nothing of what is typed.
  const answer = await ask('', nothing, () => process.stderr.write(question))
  if (answer !== undefined) process.stderr.write('\n')
  return answer
}

async function ask(
  question: string,
  output: NodeJS.WritableStream,
  onReady = () => undefined as unknown,
): Promise<string | undefined> {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) return undefined
  const terminal = createInterface({ input: stdin, output, terminal: true })
  const answer = await new Promise<string>((resolve) => {
    // End of input and Ctrl-C mean no.
    terminal.once('close', () => resolve(''))
    terminal.question(question, resolve)
    onReady()
  })
  terminal.close()
  return answer
}
