import { createInterface } from 'node:readline'

/** Asks on the terminal; anything but a yes is a no. `undefined` where nobody is there to be asked. */
export async function askWhether(question: string): Promise<boolean | undefined> {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) return undefined
  const terminal = createInterface({ input: stdin, output: stderr })
  const answer = await new Promise<string>((resolve) => {
    // The end of the input, or Ctrl-C, is an answer too.
    terminal.once('close', () => resolve(''))
    terminal.question(`${question} [y/N] `, resolve)
  })
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
