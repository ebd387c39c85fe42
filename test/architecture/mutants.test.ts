import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { type Mutant, mutants } from '../mutants/mutants.ts'

const root = join(import.meta.dirname, '../..')

/** A sentence for each edit that no longer applies, and each missing test: nothing would prove that guard any more. */
function findStale(list: readonly Mutant[]): string[] {
  return list.flatMap((mutant) => [
    ...mutant.tests
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `'${mutant.fault}' names ${path}, which does not exist.`),
    ...mutant.edits.flatMap(({ file, find }) => {
      const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''
      const count = text.split(find).length - 1
      return count === 1
        ? []
        : [`'${mutant.fault}' looks for a text that stands in ${file} ${count} times.`]
    }),
  ])
}

it('each mutant applies to the source as it is', () => {
  assert.deepEqual(findStale(mutants), [])
})
