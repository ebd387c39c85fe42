import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { repositoryRoot } from '../processes/process.ts'

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')
const risks = 10
const testsMin = 3

/** The tests that the page names for each risk, as `FILE: TITLE`. */
function namedTests(page: string): Map<string, string[]> {
  const sections = page.split(/^(?=##)/m).filter((section) => section.startsWith('### API'))
  return new Map(
    sections.map((section) => [
      /^### (API\d+): /.exec(section)?.[1] ?? section,
      [...section.matchAll(/^- `(.+)`: (.+)$/gm)].map(([, file, title]) => `${file}: ${title}`),
    ]),
  )
}

function exists(named: string): boolean {
  const [file = '', ...rest] = named.split(': ')
  if (!existsSync(join(repositoryRoot, file))) return false
  const titles = [...read(file).matchAll(/\bit(?:InFull|ForFew)?\(\s*(['`])(.*?)\1,/gs)].map(
    ([, , title = '']) => title.replaceAll(/\$\{.*?\}/g, '…'),
  )
  return titles.includes(rest.join(': '))
}

it('docs/security.md names at least three tests for each risk of the OWASP API Security Top 10, and each exists', () => {
  const named = namedTests(read('docs/security.md'))

  assert.deepEqual(
    [...named.keys()],
    Array.from({ length: risks }, (_, index) => `API${index + 1}`),
  )
  for (const [risk, tests] of named)
    assert.ok(new Set(tests).size >= testsMin, `${risk} has ${tests.length} tests`)
  assert.deepEqual(
    [...named.values()].flat().filter((test) => !exists(test)),
    [],
  )
})
