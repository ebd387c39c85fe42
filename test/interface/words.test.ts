import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { demoChunks } from '../../src/admin/seed/demo-chunks.ts'

/** Published words: one for each thing, and the same pets everywhere. */

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guides = [
  'README.md',
  'docs/errors.md',
  ...globSync('docs/{guides,operations}/*.md', { cwd: root }),
]

it('titles in the document say animal, as those of the interface do, and all other texts pet', () => {
  const document = JSON.parse(read('openapi.json')) as {
    tags: { name?: string }[]
    paths: Record<string, Record<string, { summary?: string; tags?: unknown }>>
  }
  const titles: string[] = document.tags.flatMap(({ name: _, ...texts }) => Object.values(texts))
  document.tags = []
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    titles.push(operation.summary ?? '')
    delete operation.summary
    delete operation.tags
  }

  assert.deepEqual(titles.filter((title) => /animal/i.test(title)).sort(), [
    'Add an animal',
    'Animals',
    'Change many animals',
    'Delete an animal',
    'Export all animals',
    'Get an animal',
    "Get an animal's stock",
    'List all animals',
    "Set an animal's stock",
    'The catalogue: animals and their categories.',
    'Update an animal',
  ])
  assert.doesNotMatch(titles.join('\n'), /\bpets?\b/i)
  assert.doesNotMatch(JSON.stringify(document), /animal/i)
})

it('everything else says pet', () => {
  const files = globSync(
    ['*.md', 'docs/**/*.md', 'bench/**/*.{ts,md}', '{src,test,tools}/**/*.ts'],
    {
      cwd: root,
      exclude: (path) => path.includes('node_modules'),
    },
  )
  // Where the interface's tag and summaries are written or expected, and released notes.
  const allowed =
    /^(src\/(contract\/tags|features\/.*contract)|test\/interface\/|test\/tools\/|CHANGELOG|docs\/operations\/service-commands)/

  const others = files.filter((path) => !allowed.test(path) && /animal/i.test(read(path)))

  assert.ok(files.length > 300, `${files.length} files`)
  assert.deepEqual(others, [])
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
