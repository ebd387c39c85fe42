const firstLine = /^A new, empty production store is created: [^\n]+\n/

/** What a command says besides the first line, with which it creates a production store where a setting says. */
export function withoutNewStore(stderr: string): string {
  return stderr.replace(firstLine, '')
}
