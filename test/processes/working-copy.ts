import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { repositoryRoot } from './process.ts'

const notCopied = /^(?:node_modules|data|coverage|\.git|\.installing.*)$/

/** The benchmark has packages of its own, which no document tells a reader to install. */
const isOurs = (path: string) => basename(path) !== 'node_modules'

/**
 * A copy of the working tree as it is after an install. Each package is a link: if npm ran in the copy, it would
 * replace links there and change nothing here.
 */
export function workingCopy(): string {
  const root = mkdtempSync(join(tmpdir(), 'petstore-copy-'))
  for (const name of readdirSync(repositoryRoot)) {
    if (!notCopied.test(name))
      cpSync(join(repositoryRoot, name), join(root, name), { recursive: true, filter: isOurs })
  }
  const packages = join(repositoryRoot, 'node_modules')
  mkdirSync(join(root, 'node_modules'))
  for (const name of readdirSync(packages)) {
    const [from, to] = [join(packages, name), join(root, 'node_modules', name)]
    if (name === '.package-lock.json') copyFileSync(from, to)
    else symlinkSync(from, to)
  }
  return root
}
