/**
 * npm run test:package -- [--only size | install | banner | types | runners | readiness | read-only | publish]
 * Packs the npm package petstore-service, installs it in empty folders as users do, and uses it there: on several Nodes, with
 * several package managers and test runners, which are killed too. Exits with 1 where something does not hold.
 */
import { parseArgs } from 'node:util'
import { usePackage } from '../processes/npm-package.ts'

const { values } = parseArgs({ options: { only: { type: 'string' } } })

try {
  for await (const line of usePackage((part) => (values.only ?? part) === part)) console.log(line)
} catch (error) {
  console.error('package: FAILED.', error)
  process.exitCode = 1
}
process.exit()
