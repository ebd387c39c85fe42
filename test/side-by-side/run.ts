/**
 * npm run test:side-by-side -- [--rounds N] [--only-try]
 * Compares this service with tools that serve APIs to tests: what each keeps, checks and can be forced to do, and how fast it is.
 * Writes the tables of docs/guides/testing-against-it.md and docs/measured.md, and `recorded.json`; with --only-try nothing is
 * measured or written. Needs wrk, and Java for WireMock; Linux only.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { explainMissingWrk } from '../../bench/harness/wrk.ts'
import { installPackages } from '../harness/packages.ts'
import { repositoryRoot } from '../processes/process.ts'
import { jsonServer } from './contenders/json-server.ts'
import { msw } from './contenders/msw.ts'
import { petstore } from './contenders/petstore.ts'
import { prism } from './contenders/prism.ts'
import { wiremock } from './contenders/wiremock.ts'
import type { Contender } from './harness/contender.ts'
import { type Install, installAlone, packPetstore, sizeOf } from './harness/install.ts'
import { packagesFolder, versionOf } from './harness/packages.ts'
import { type Cells, probe } from './harness/probes.ts'
import { measureSpeed } from './harness/speed.ts'
import { guideTable, measuredTable, type Recorded, withTable } from './harness/tables.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, 'only-try': { type: 'boolean' } },
})
const missing = explainMissingWrk()
if (missing !== undefined) throw new Error(missing)
installPackages(packagesFolder)

const workspace = mkdtempSync(join(tmpdir(), 'petstore-side-by-side-'))
try {
  const installed = installAlone(workspace, packPetstore(workspace))
  const contenders = [petstore(installed), prism(), jsonServer(), msw(), wiremock()]
  const cells: Record<string, Cells> = {}
  for (const contender of contenders) {
    cells[contender.name] = await probe(contender, workspace)
    console.log(contender.name, cells[contender.name])
  }
  if (!values['only-try']) await measure(contenders, installed, cells)
} finally {
  rmSync(workspace, { recursive: true, force: true })
}
process.exit()

async function measure(
  contenders: Contender[],
  installed: string,
  cells: Record<string, Cells>,
): Promise<void> {
  const installs: Record<string, Install> = { this: sizeOf(installed) }
  const versions: Record<string, string> = { this: '' }
  for (const { name, packageName } of contenders) {
    if (packageName === undefined) continue
    versions[name] = versionOf(packageName)
    installs[name] = sizeOf(installAlone(workspace, `${packageName}@${versions[name]}`))
  }
  const speed = await measureSpeed(contenders, {
    ...{ rounds: Number(values.rounds), workspace, installed },
  })
  const date = new Date().toISOString().slice(0, 10)
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 10) / 10 : value
  const text = JSON.stringify({ date, versions, cells, installs, speed }, rounded, 2)
  writeFileSync(join(packagesFolder, 'recorded.json'), `${text}\n`)
  // The tables are those of the record, which a test makes again.
  const recorded: Recorded = JSON.parse(text)
  write('docs/guides/testing-against-it.md', 'side by side', guideTable(recorded))
  write('docs/measured.md', 'side by side', measuredTable(recorded))
}

function write(path: string, name: string, table: string) {
  const file = join(repositoryRoot, path)
  writeFileSync(file, withTable(readFileSync(file, 'utf8'), name, table))
  console.log(`${path}:\n${table}`)
}
