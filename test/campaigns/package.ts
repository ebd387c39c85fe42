/**
 * npm run test:package. Packs the npm package petstore-service, installs it in empty folders as users do, and uses it there: on
 * several Nodes, with several package managers and test runners. Exits with 1 where something does not hold.
 */
import { usePackage } from '../processes/npm-package.ts'

try {
  for await (const line of usePackage()) console.log(line)
} catch (error) {
  console.error('package: FAILED.', error)
  process.exitCode = 1
}
process.exit()
