/** npm run sizes. Lines of TypeScript beside the source, with their limits. Exits with 1 where there are more. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const cwd = join(import.meta.dirname, '..')
const limits = {
  '{src,test}/**/*.test.ts': 44_500,
  'test/**/!(*.test).ts': 14_900,
  'tools/**/*.ts': 2_300,
  'bench/**/*.ts': 2_700,
}

for (const [pattern, max] of Object.entries(limits)) {
  const paths = globSync(pattern, { cwd, exclude: ['**/node_modules/**'] })
  const lines = paths.map((path) => readFileSync(join(cwd, path), 'utf8').split('\n').length - 1)
  const count = lines.reduce((sum, one) => sum + one, 0)
  console.log(`${count > max ? '✖' : '✔'} ${pattern}: ${count} lines, at most ${max}`)
  if (count > max) process.exitCode = 1
}
