// Hashes the source of a build, to tell whether the build is current. Runs before packages are installed.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What goes into a build, relative to this folder. */
const sources = [
  'build.js',
  'index.html',
  'package-lock.json',
  'src',
  'tsconfig.json',
  'vite.config.js',
  '../client/src',
  '../src/contract',
  '../src/features/pets/next-statuses.ts',
  '../src/features/sales/order-status.ts',
  '../src/pages/assets/icon.svg',
  '../src/pages/tokens.css',
]

/** The hash of everything that a build of the console in `folder` is made of. */
export function stampOf(folder) {
  const hash = createHash('sha256')
  for (const path of sources.flatMap((source) => filesAt(folder, source))) {
    const content = readFileSync(join(folder, path))
    hash.update(`${path}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Whether the last build in `folder` is of its source as it is now. */
export function isBuilt(folder) {
  try {
    const { stamp } = JSON.parse(readFileSync(join(folder, 'dist/manifest.json'), 'utf8'))
    return stamp === stampOf(folder)
  } catch {
    return false
  }
}

function filesAt(folder, path) {
  const names = childrenOf(join(folder, path))
  if (names === undefined) return [path]
  return names.sort().flatMap((name) => filesAt(folder, `${path}/${name}`))
}

/** The names in a folder; `undefined` of a file. */
function childrenOf(path) {
  try {
    return readdirSync(path)
  } catch (error) {
    if (error.code === 'ENOTDIR') return undefined
    if (error.code === 'ENOENT') return []
    throw error
  }
}
