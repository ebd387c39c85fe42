/**
 * npm run test:client | test:package -- [--only PART]
 * Packs an npm package and uses it as its users do: the client on every platform and in a browser; the service on several Nodes,
 * with several package managers and test runners. Exits with 1 where something does not hold.
 */
import { tryPackage } from '../processes/client-package.ts'
import { usePackage } from '../processes/npm-package.ts'
import { readOptions } from './options.ts'

const programs: Record<string, typeof usePackage> = { client: tryPackage, service: usePackage }
const { only, positionals } = readOptions({ only: '' }, { allowPositionals: true })
const [name = ''] = positionals
const use = programs[name]
if (use === undefined) throw new Error(`There is no package ${name}.`)

const parts = new Set<string>()
function isWanted(part: string): boolean {
  parts.add(part)
  return part === (only || part)
}

try {
  for await (const line of use(isWanted)) console.log(line)
  if (only !== '' && !parts.has(only))
    throw new Error(`It has no part ${only}: name one of ${[...parts]}.`)
} catch (error) {
  console.error(`${name}: FAILED.`, error)
  process.exitCode = 1
}
process.exit()
