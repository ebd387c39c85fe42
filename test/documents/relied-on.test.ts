import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { scan } from '../architecture/scan.ts'

const root = join(import.meta.dirname, '../..')
const path = 'docs/decisions/0028-postgresql-and-no-engine-that-resembles-it.md'

/** What a statement can ask of PostgreSQL that is more than tables, indexes, transactions and joins. */
const features = [
  /\bisolation level (?:read (?:un)?committed|repeatable read|serializable)/g,
  /\bfor (?:no key )?(?:update|key share|share)(?: skip locked| nowait)?(?![\w ]| set)/g,
  /\bin (?:access |row )?(?:share|exclusive|share (?:row|update) exclusive) mode\b/g,
  /\b(?:pg_try_advisory|pg_advisory)\w+/g,
  /\b(?:pg_\w+|nextval|setval|currval|lastval|set_config|current_setting|to_reg\w+|txid_\w+)(?=\()/g,
  /(?<=\b(?:from|join) )(?:pg_\w+|information_schema\.\w+)/g,
  /\bas identity\b|\brestart identity\b|\bgenerated always as \(/g,
  /\bon conflict\b|\breturning \b|\bas materialized\b|\bunnest\(|\brow_number\(\)|\blateral\b|\bdeferrable\b/g,
  /\b(?:from stdin|to stdout|with \(freeze\))/g,
  /^\s*(?:savepoint|(?:listen|notify) (?=\w+$))/g,
  /\bcollate "C"/g,
  /\bset local \w+|'(?:synchronous_commit|client_min_messages|plan_cache_mode|search_path)'|\b(?:lock|statement)_timeout\b/g,
  /\b(?:create|drop) (?:or replace |temp |temporary )*(?:trigger|function|view|materialized view|sequence|extension|type|domain|schema|policy|rule)\b/g,
]

function featuresIn(text: string): string[] {
  return features.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([found]) => found.trim().replace(/[('\s]+$|^'/g, '')),
  )
}

/** The statements in the source: its literals, and the migrations. */
function statements(): string[] {
  const paths = globSync(['src/{db,features,admin,app}/**/*.ts', 'migrations/postgres/*.sql'], {
    cwd: root,
    exclude: ['**/*.test.ts', 'src/db/sqlite/**'],
  })
  assert.ok(paths.length > 200, `${paths.length} files`)
  return paths.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return path.endsWith('.sql') ? text.replaceAll(/^\s*--.*$/gm, '') : scan(text).literals
  })
}

it('decision 0028 lists what the statements ask of PostgreSQL, and nothing else', () => {
  const document = readFileSync(join(root, path), 'utf8')
  const firstCells = document.split('\n').flatMap((line) => /^\| (`.*?) \|/.exec(line)?.[1] ?? [])
  const listed = firstCells.flatMap((cell) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  )
  const used = new Set(statements().flatMap(featuresIn))

  assert.deepEqual(listed.toSorted(), [...used].sort())
})
