import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { repositoryRoot } from '../processes/process.ts'

const folder = join(repositoryRoot, 'console')

function pathsIn(file: string, pattern: RegExp): string[] {
  return [...readFileSync(join(folder, file), 'utf8').matchAll(pattern)].map(
    ([, path = '']) => path,
  )
}

it('a build is outdated when a file of src/ changes that the console imports', () => {
  const sources = pathsIn('stamp.js', /^ {2}'\.\.\/(src\/.+)',$/gm)
  const imported = globSync('src/**/*.{ts,tsx}', { cwd: folder }).flatMap((file) =>
    pathsIn(file, /(?:from|import) '(?:\.\.\/)+(src\/.+)'/g),
  )

  const missing = imported.filter((path) => !sources.some((source) => path.startsWith(source)))

  assert.ok(imported.length > 5)
  assert.deepEqual(missing, [])
})
