import { createInterface } from 'node:readline'

/** Asks on the terminal; anything but yes is no. Returns `undefined` without a terminal. */
export async function askWhether(question: string): Promise<boolean | undefined> {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) return undefined
  const terminal = createInterface({ input: stdin, output: stderr })
  const answer = await new Promise<string>((resolve) => {
    // End of input and Ctrl-C mean no.
    terminal.once('close', () => resolve(''))
    terminal.question(`${question} [y/N] `, resolve)
  })
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
