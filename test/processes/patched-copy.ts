import {
  cpSync,
  existsSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from './process.ts'

const whatRuns = ['bin', 'src', 'migrations', 'docs', 'package.json', 'openapi.json']

interface Patch {
  /** The folder whose source files are searched, tests left out. */
  folder: string
  find: RegExp
  replaceBy: string
}

/** A runnable copy of the source with one text replaced. Throws unless the text occurs exactly once. */
export function patchedCopy({ folder, find, replaceBy }: Patch): { root: string } & Disposable {
  using making = new DisposableStack()
  const root = making.use(mkdtempDisposableSync(join(tmpdir(), 'petstore-patched-'))).path
  for (const name of whatRuns) {
    const from = join(repositoryRoot, name)
    if (existsSync(from)) cpSync(from, join(root, name), { recursive: true })
  }
  symlinkSync(join(repositoryRoot, 'node_modules'), join(root, 'node_modules'))
  const path = findOnce(join(root, folder), find)
  writeFileSync(path, readFileSync(path, 'utf8').replace(find, replaceBy))
  const made = making.move()
  return { root, [Symbol.dispose]: () => made.dispose() }
}

/** The service with syncs at checkpoints only: a power cut loses acknowledged data. */
export const synchronousNormal: Patch = {
  folder: 'src/db',
  find: /synchronous\s*=\s*full/i,
  replaceBy: 'synchronous = normal',
}

function findOnce(folder: string, find: RegExp): string {
  const everywhere = new RegExp(find, `${find.flags}g`)
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
  const found = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(everywhere)].map(() => path),
  )
  const [only, ...others] = found
  if (only === undefined || others.length > 0) {
    throw new Error(`${find} has to be in ${folder} once, and is there ${found.length} times`)
  }
  return only
}
