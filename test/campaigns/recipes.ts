/**
 * npm run test:recipes -- [--only js | python | java | go | ruby | bash]
 * Runs each recipe of docs/guides/recipes.md, as it is, with a store whose contents make it fail, and with a store that
 * delays its responses, so that the recipe can be killed in the middle. No store may be left. Languages that are not
 * installed are skipped. Exits with 1 where a recipe does not hold.
 */
import { spawnSync } from 'node:child_process'
import {
  failRecipe,
  killRecipe,
  type Language,
  languages,
  passRecipe,
} from '../processes/recipes.ts'
import { readOptions } from './options.ts'

const { only } = readOptions({ only: '' })
const names = Object.keys(languages).filter((name) => (only || name) === name)
if (names.length === 0) throw new Error(`There is no recipe in ${only}.`)

for (const name of names) {
  const version = versionOf(name)
  if (version === undefined) {
    console.log(
      `${name}: skipped, since it is not installed: ${languages[name]?.installed.join(' ')}`,
    )
    continue
  }
  try {
    const startMs = performance.now()
    await passRecipe(name)
    const passMs = performance.now() - startMs
    await failRecipe(name)
    await killRecipe(name)
    console.log(
      `${name}: passes in ${(passMs / 1000).toFixed(1)} s; no store is left when it passes, fails or is killed (${version})`,
    )
  } catch (error) {
    console.error(`${name}: FAILED (${version}).`, error)
    process.exitCode = 1
  }
}

function versionOf(name: string): string | undefined {
  const [program, ...args] = (languages[name] as Language).installed
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 ? (stdout || stderr).split('\n', 1)[0] : undefined
}
