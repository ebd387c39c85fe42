import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { demoChunks } from '../../src/admin/seed/demo-chunks.ts'

/** Published words: one for each thing, and the same pets everywhere. */

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guides = ['README.md', 'docs/errors.md', ...globSync('docs/guides/*.md', { cwd: root })]

it('the document says animal where the interface does, and pet everywhere else', () => {
  const texts: string[] = []
  JSON.parse(read('openapi.json'), (name, value) => {
    const isText = typeof value === 'string' && name !== '0' && name !== 'name'
    if (isText && /animal/i.test(value)) texts.push(`${name}: ${value}`)
    return value
  })

  assert.deepEqual(texts.sort(), [
    'description: The catalogue: animals and their categories.',
    'summary: Add an animal',
    'summary: Get an animal',
    'summary: List all animals',
    'x-displayName: Animals',
  ])
})

it('the guides say pet', () => {
  // But for a title, the file that is called so, and a row of what was measured.
  const allowed = /^# Selling an animal$|selling-an-animal\.md|^\| one animal\b/
  for (const path of guides) {
    const lines = read(path).split('\n')
    const others = lines.filter((line) => /animal/i.test(line) && !allowed.test(line))
    assert.deepEqual(others, [], path)
  }
})

it('the guides show the pets and categories of the demo data', () => {
  const [{ categories, pets }] = [...demoChunks(100, 'petstore')] as [
    ReturnType<typeof demoChunks> extends Generator<infer Chunk> ? Chunk : never,
  ]
  const names = [...categories, ...pets].map(({ name }) => name)
  const isKnown = (shown: string) =>
    names.some((name) => name === shown || shown.startsWith(`${name.split(',')[0]} I`))
  const namePattern = /"name": ?"([^"]+)"(?:, ?"(?:categoryId|description)|\}')/g
  let count = 0
  for (const path of guides) {
    for (const [, shown = ''] of read(path).matchAll(namePattern)) {
      assert.ok(isKnown(shown), `${path} shows ${shown}`)
      count += 1
    }
  }
  assert.ok(count > 10, `${count} names`)
})
