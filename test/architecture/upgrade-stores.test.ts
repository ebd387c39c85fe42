import { type Files, itHolds } from './repository.ts'

const engines = { sqlite: '.db.gz', postgres: '.sql.gz' }

/** A listing counts with its store alone. */
function findReleasesWithoutStore(files: Files): string[] {
  const headings = (files.get('CHANGELOG.md') ?? '').matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)
  const { version } = JSON.parse(files.get('package.json') ?? '{}')
  const releases = new Set([...[...headings].map(([, release]) => release), version ?? []].flat())
  return Object.entries(engines).flatMap(([engine, ending]) => {
    const isKept = (release: string) =>
      ['.json', ending].every((end) => files.has(`test/upgrades/stores/${engine}/${release}${end}`))
    return [...releases]
      .filter((release) => !isKept(release))
      .map(
        (release) =>
          `No store of ${release} on ${engine} is kept: run npm run upgrade-store -- --release ${release}, and commit what it adds.`,
      )
  })
}

const store = {
  'test/upgrades/stores/sqlite/1.0.0.json': '{}',
  'test/upgrades/stores/sqlite/1.0.0.db.gz': '',
}

itHolds('each release has a store that it left, on each engine', findReleasesWithoutStore, [
  { 'CHANGELOG.md': '## [Unreleased]\n\n## [1.0.0]\n', ...store },
  { 'package.json': '{"version":"1.0.0"}', ...store },
])
