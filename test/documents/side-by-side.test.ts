import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { repositoryRoot } from '../processes/process.ts'
import {
  guideTable,
  measuredTable,
  type Recorded,
  withTable,
} from '../side-by-side/harness/tables.ts'

// npm run test:side-by-side measures and records.

const folder = 'test/side-by-side'
const recorded: Recorded = JSON.parse(read(`${folder}/recorded.json`))

const tables = {
  'docs/guides/testing-against-it.md': guideTable(recorded),
  'docs/measured.md': measuredTable(recorded),
}

for (const [path, table] of Object.entries(tables)) {
  it(`${path}: the comparison is what was recorded`, () => {
    const document = read(path)

    assert.equal(withTable(document, 'side by side', table), document)
  })
}

it('the comparison is with the locked versions, and begins with a row in which this service does less', () => {
  const { dependencies } = JSON.parse(read(`${folder}/package.json`))
  const { this: _, ...others } = recorded.versions

  assert.deepEqual(Object.values(others).sort(), Object.values(dependencies).sort())
  const [, , first = ''] = guideTable(recorded).split('\n')
  assert.match(first, /^\| [^|]+ \| no \| yes/)
})

function read(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8')
}
