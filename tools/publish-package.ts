/**
 * npm run publish:package -- service | client [--dry-run]
 * Builds petstore-service or petstore-client, writes the address of the repository into its package.json, and publishes it with
 * its provenance. Refused where that address is not known: it is that of the CI. --dry-run uploads nothing.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Repository, repositoryOf } from './package/repository.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
})

const stages: Record<string, (repository: Repository) => string> = {
  service: stageService,
  client: stageClient,
}

try {
  const stage = stages[positionals.join(' ')]
  if (stage === undefined) throw new Error('Name the package to publish: service or client.')
  publish(stage(repositoryOf(process.env)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Returns the folder of the package. */
function stageService(repository: Repository): string {
  const folder = join(dist, 'package')
  run(process.execPath, [join(root, 'tools/build-package.ts'), folder], root)
  amend(folder, { repository })
  return folder
}

/** The files of the client as they are packed, without what only its repository needs. */
function stageClient(repository: Repository): string {
  const from = join(root, 'client')
  const folder = join(dist, 'client')
  run('npm', ['ci'], from)
  run('npm', ['run', 'build'], from)
  const { files } = readManifest(from) as { files: string[] }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const path of ['package.json', 'README.md', 'LICENSE', ...files])
    cpSync(join(from, path), join(folder, path), { recursive: true })
  amend(folder, {
    repository: { ...repository, directory: 'client' },
    scripts: undefined,
    devDependencies: undefined,
  })
  return folder
}

function publish(folder: string) {
  const args = ['publish', '--access', 'public', '--provenance']
  run('npm', values['dry-run'] ? [...args, '--dry-run'] : args, folder)
}

function amend(folder: string, changes: Record<string, unknown>) {
  const manifest = { ...readManifest(folder), ...changes }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function readManifest(folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function run(program: string, args: string[], cwd: string) {
  execFileSync(program, args, { cwd, stdio: 'inherit' })
}
