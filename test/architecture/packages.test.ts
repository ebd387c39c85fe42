import { type Files, itHolds } from './repository.ts'

type LockEntry = {
  dev?: boolean
  os?: string | string[]
  cpu?: string | string[]
  resolved?: string
  integrity?: string
}

const oneOs = 'linux'
const oneCpu = 'x64'

function findRegistryHosts(files: Files): string[] {
  const hosts = lockedPackages(files).filter(([, { resolved }]) => resolved?.startsWith('http'))
  return hosts.map(
    ([path]) =>
      `package-lock.json ties ${path} to one registry: keep omit-lockfile-registry-resolved in .npmrc, and lock again.`,
  )
}

function findUnsealed(files: Files): string[] {
  const locks = [...files.keys()].filter((path) => /(?:^|\/)package-lock\.json$/.test(path))
  return locks.flatMap((lock) =>
    lockedPackages(files, lock)
      .filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
      .map(
        ([path]) =>
          `${lock} has no SHA-512 of ${path}: lock a version that is published for every platform.`,
      ),
  )
}

function findWrongCount(files: Files): string[] {
  const architecture = files.get('ARCHITECTURE.md')
  if (architecture === undefined) return []
  const stated = /\b(\d+) production packages\b/.exec(architecture)?.[1] ?? 'no number of'
  const count = lockedPackages(files).filter(([, entry]) => isInProduction(entry)).length
  if (stated === String(count)) return []
  return [
    `ARCHITECTURE.md states ${stated} production packages, but package-lock.json holds ${count} for one platform.`,
  ]
}

const guides = ['docs/guides/testing-against-it.md', 'docs/guides/int64.md']

/** The guides say what `npm run test:tools` has tried. */
function findOtherVersions(files: Files): string[] {
  const { dependencies = {} } = JSON.parse(files.get('test/tools/package.json') ?? '{}')
  return guides.flatMap((guide) => {
    const named = [...(files.get(guide) ?? '').matchAll(/`([@\w/-]+)` (\d[\d.]*\d)/g)]
    const others = named.filter(
      ([, name = '', version]) => (dependencies[name] ?? version) !== version,
    )
    return others.map(
      ([text, name = '']) => `${guide} says ${text}, but ${dependencies[name]} is tried.`,
    )
  })
}

const loads =
  /^(?:import|export)\s+(?!type\b)(?:[\w$*{},\s]+?\sfrom\s+)?'([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm

/** A package that only developers have must not be loaded by the program; its types may be imported. */
function findMissingInProduction(files: Files): string[] {
  const { dependencies = {} } = JSON.parse(files.get('package.json') ?? '{}')
  const program = [...files].filter(([path]) => /^(?:src|bin)\/(?!.*\.test\.ts$)/.test(path))
  return program.flatMap(([path, text]) => {
    const loaded = [...text.matchAll(loads)].map(([, name, later]) => name ?? later ?? '')
    const missing = loaded.filter((name) => !name.startsWith('node:') && !isIn(dependencies, name))
    return missing.map((name) => `${path} loads ${name}, which production does not install.`)
  })
}

function isIn(dependencies: Record<string, string>, specifier: string): boolean {
  return Object.keys(dependencies).some((name) => `${specifier}/`.startsWith(`${name}/`))
}

function findUnpairedMigrations(files: Files): string[] {
  const sqlite = migrationNames(files, 'sqlite')
  const postgres = migrationNames(files, 'postgres')
  if (postgres.length === 0) return []
  const unpaired = [
    ...sqlite.filter((name) => !postgres.includes(name)),
    ...postgres.filter((name) => !sqlite.includes(name)),
  ]
  return unpaired.map((name) => `migrations/: ${name} exists for one database only, add its twin.`)
}

function lockedPackages(files: Files, path = 'package-lock.json'): [string, LockEntry][] {
  const lock: { packages?: Record<string, LockEntry> } = JSON.parse(files.get(path) ?? '{}')
  return Object.entries(lock.packages ?? {}).filter(([folder]) => folder !== '')
}

function isInProduction({ dev, os = oneOs, cpu = oneCpu }: LockEntry): boolean {
  return !dev && [os].flat().includes(oneOs) && [cpu].flat().includes(oneCpu)
}

function migrationNames(files: Files, database: string): string[] {
  const folder = `migrations/${database}/`
  const paths = [...files.keys()].filter((path) => path.startsWith(folder))
  return paths.map((path) => path.slice(folder.length))
}

itHolds('package-lock.json names no registry', findRegistryHosts, [
  {
    'package-lock.json':
      '{"packages":{"node_modules/ajv":{"resolved":"https://registry.example/ajv.tgz"}}}',
  },
])

itHolds('each package of a lock file has its hash', findUnsealed, [
  { 'package-lock.json': '{"packages":{"node_modules/ajv":{"version":"8.20.0"}}}' },
  { 'bench/package-lock.json': '{"packages":{"node_modules/bun":{"integrity":"sha1-x"}}}' },
])

itHolds('ARCHITECTURE.md counts the production packages', findWrongCount, [
  {
    'ARCHITECTURE.md': 'It has 2 production packages.',
    'package-lock.json': '{"packages":{"":{}}}',
  },
  { 'ARCHITECTURE.md': 'It has few packages.' },
])

itHolds('the program loads packages of production only', findMissingInProduction, [
  {
    'package.json': '{"devDependencies":{"typebox":"1.4.3"}}',
    'src/contract.ts': "import type { Static } from 'typebox'\nimport Type from 'typebox'\n",
  },
  { 'src/app.ts': "import {\n  fastify,\n} from 'fastify'\nimport { join } from 'node:path'\n" },
  { 'src/cli.ts': "const one = await import('one')\n" },
  { 'package.json': '{"dependencies":{"pg":"8"}}', 'src/db.ts': "export { a } from 'pg-other'\n" },
])

itHolds('the guides name the versions of the tools that are tried', findOtherVersions, [
  {
    'docs/guides/testing-against-it.md': 'It works with `orval` 8.37.0.',
    'test/tools/package.json': '{"dependencies":{"orval":"8.38.0"}}',
  },
])

itHolds('each migration exists for every database, under the same name', findUnpairedMigrations, [
  {
    'migrations/sqlite/0001_create_pets.sql': '',
    'migrations/sqlite/0002_create_orders.sql': '',
    'migrations/postgres/0001_create_pets.sql': '',
  },
])
