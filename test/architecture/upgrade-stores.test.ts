import { type Files, itHolds } from './repository.ts'

const engines = ['sqlite', 'postgres'] as const
const endings = { sqlite: '.db.gz', postgres: '.sql.gz' }

type Listing = { path: string; migration?: string; release?: string }

/** A listing counts with its store alone. */
function listingsOf(files: Files, engine: (typeof engines)[number]): Listing[] {
  const folder = `test/upgrades/stores/${engine}/`
  return [...files]
    .filter(([path]) => path.startsWith(folder) && path.endsWith('.json'))
    .filter(([path]) => files.has(path.replace(/\.json$/, endings[engine])))
    .map(([path, text]) => ({ path, ...JSON.parse(text) }))
}

function findMigrationsWithoutStore(files: Files): string[] {
  return engines.flatMap((engine) => {
    const kept = listingsOf(files, engine).map(({ migration }) => migration)
    return [...files.keys()]
      .map((path) => new RegExp(`^migrations/${engine}/(.+)\\.sql$`).exec(path)?.[1])
      .filter((name) => name !== undefined && !kept.includes(name))
      .map(
        (name) =>
          `No store of ${name} on ${engine} is kept: run npm run upgrade-store, and commit what it adds.`,
      )
  })
}

function findReleasesWithoutStore(files: Files): string[] {
  const headings = (files.get('CHANGELOG.md') ?? '').matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)
  const { version } = JSON.parse(files.get('package.json') ?? '{}')
  const releases = new Set([...[...headings].map(([, release]) => release), version ?? []].flat())
  return engines.flatMap((engine) => {
    const kept = listingsOf(files, engine).map(({ release }) => release)
    return [...releases]
      .filter((release) => !kept.includes(release))
      .map(
        (release) =>
          `No store of ${release} on ${engine} is kept: run npm run upgrade-store -- --release ${release}, and commit what it adds.`,
      )
  })
}

itHolds('each migration has a store that it left, on each engine', findMigrationsWithoutStore, [
  { 'migrations/sqlite/0001_create_pets.sql': '' },
  {
    'migrations/postgres/0001_create_pets.sql': '',
    'test/upgrades/stores/postgres/0001_create_pets.json': '{"migration":"0001_create_pets"}',
  },
])

const store = {
  'test/upgrades/stores/sqlite/1.0.0.json': '{"release":"1.0.0"}',
  'test/upgrades/stores/sqlite/1.0.0.db.gz': '',
}

itHolds('each release has a store that it left, on each engine', findReleasesWithoutStore, [
  { 'CHANGELOG.md': '## [Unreleased]\n\n## [1.0.0]\n', ...store },
  { 'package.json': '{"version":"1.0.0"}', ...store },
])
