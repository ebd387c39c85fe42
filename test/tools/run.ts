/**
 * npm run test:tools -- [TOOL …] [--only-check]
 * Gives the document of a running store to tools that nobody here wrote, and uses the store through what they
 * make of it. Each tool then has to notice faults: in the document, or of a service that does not keep to it.
 * Exits with 1 where a tool fails, or misses a fault.
 */
import { parseArgs } from 'node:util'
import { installPackages } from '../harness/packages.ts'
import { packagesFolder } from './harness/packages.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'only-check': { type: 'boolean', default: false } },
})

installPackages(packagesFolder)
// The checks look up commands of packages, which must be installed.
const { tools } = await import('./tools.ts')
const { runTools } = await import('./harness/run-tools.ts')
process.exitCode = await runTools(tools, positionals, { withFaults: !values['only-check'] })
