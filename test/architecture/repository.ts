import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { it } from 'node:test'

/** Path from the root, with forward slashes, to text. */
export type Files = ReadonlyMap<string, string>

/** Looks at files and says what is wrong, a sentence each: which file, and what to do. */
export type Rule = (files: Files) => string[]

const root = join(import.meta.dirname, '../..')
const everything = '{*,{.ci,bin,tools,src,test,docs,migrations,bench,console,client}/**}'
const text = /\.(?:tsx?|js|md|json|sql|txt)$/
const elsewhere = ['node_modules/**', 'data/**', '**/node_modules/**']

const repository: Files = new Map(
  globSync(everything, { cwd: root, exclude: elsewhere }).map((path) => [
    path.replaceAll(sep, '/'),
    text.test(path) ? readFileSync(join(root, path), 'utf8') : '',
  ]),
)

/** Defines two tests: the rule holds in this repository, and it reports each planted violation. */
export function itHolds(title: string, rule: Rule, violations: Record<string, string>[]) {
  it(title, () => {
    const problems = rule(repository)
    if (problems.length > 0) assert.fail(problems.join('\n'))
  })
  it(`${title} (a violation is reported)`, () => {
    for (const violation of violations) {
      const problems = rule(new Map(Object.entries(violation)))
      assert.equal(problems.length, 1, `${JSON.stringify(violation)} gave ${problems.join('\n')}`)
    }
  })
}
