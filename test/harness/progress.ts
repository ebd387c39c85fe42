/** One line that is rewritten on a terminal; nothing without a terminal. */
export function showProgress(line: string): void {
  if (!process.stdout.isTTY) return
  process.stdout.write(`\r${line}\x1b[K\r`)
}
