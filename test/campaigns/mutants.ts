import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Mutant, mutants } from '../mutants/mutants.ts'
import { repositoryRoot } from '../processes/process.ts'

// Applies each small wrong edit to a copy of the source, and requires that the tests named with it
// fail. `npm run test:mutants -- WORD …` tries those whose fault contains a word.

/** A test that hangs has failed; this is many times what any of them takes. */
const hangMs = 300_000
const notCopied = new Set(['.git', 'data'])
const isRoot = process.getuid?.() === 0

const wanted = process.argv.slice(2)
const chosen = mutants.filter(
  ({ fault }) => wanted.length === 0 || wanted.some((word) => fault.includes(word)),
)
const unmatched = wanted.filter((word) => !mutants.some(({ fault }) => fault.includes(word)))
if (unmatched.length > 0) {
  console.error(`No mutant's fault contains ${unmatched.map((word) => `"${word}"`).join(', ')}.`)
  process.exit(1)
}
const root = mkdtempSync(join(tmpdir(), 'petstore-mutants-'))
let survivors = 0
try {
  cpSync(repositoryRoot, root, {
    recursive: true,
    filter: (path) =>
      basename(path) !== 'node_modules' &&
      !notCopied.has(path.slice(repositoryRoot.length).replace(/^[/\\]/, '')),
  })
  symlinkSync(join(repositoryRoot, 'node_modules'), join(root, 'node_modules'))
  await requireGreen([...new Set(chosen.filter(canRun).flatMap(({ tests }) => tests))])
  for (const mutant of chosen) await tryMutant(mutant)
} finally {
  rmSync(root, { recursive: true, force: true })
}
console.log(`${chosen.length - survivors} of ${chosen.length} edits turn their tests red.`)
if (survivors > 0) process.exitCode = 1

function canRun({ needsRoot }: Mutant): boolean {
  return !needsRoot || isRoot
}

/** A test that fails without the mutant proves nothing. */
async function requireGreen(tests: string[]) {
  const missing = tests.filter((test) => !existsSync(join(root, test)))
  if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')}.`)
  const { isGreen, output } = await runTests(tests)
  if (!isGreen) throw new Error(`Without any edit, these tests are red already:\n${output}`)
}

async function tryMutant(mutant: Mutant) {
  if (!canRun(mutant)) {
    console.log(`- ${mutant.fault}: not tried, its tests need root`)
    return
  }
  const originals = mutant.edits.map(
    ({ file }) => [file, readFileSync(join(root, file), 'utf8')] as const,
  )
  try {
    const lost = mutant.edits.filter((edit) => !apply(edit))
    if (lost.length > 0)
      return survived(mutant, `the edit no longer applies to ${lost.map(({ file }) => file)}`)
    const start = performance.now()
    const { isGreen } = await runTests(mutant.tests)
    if (isGreen) return survived(mutant, `${mutant.tests.join(', ')} stayed green`)
    console.log(`✔ ${mutant.fault}: red after ${((performance.now() - start) / 1000).toFixed(1)} s`)
  } finally {
    for (const [file, text] of originals) writeFileSync(join(root, file), text)
  }
}

function survived({ fault }: Mutant, why: string) {
  survivors += 1
  console.log(`✖ ${fault}: ${why}`)
}

/** Whether the text occurs exactly once. */
function apply({ file, find, replaceBy }: Mutant['edits'][number]): boolean {
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(find).length !== 2) return false
  writeFileSync(
    path,
    text.replace(find, () => replaceBy),
  )
  return true
}

async function runTests(tests: string[]): Promise<{ isGreen: boolean; output: string }> {
  const options = ['--test', '--test-concurrency=1', '--test-reporter=spec', '--test-timeout=60000']
  const child = spawn(process.execPath, [...options, ...tests], {
    cwd: root,
    env: { ...process.env, TEST_EXTENT: 'all' },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: hangMs,
    killSignal: 'SIGKILL',
  })
  const exited = once(child, 'exit')
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  const [code] = await exited
  return { isGreen: code === 0, output }
}
