import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { chart, documents } from '../../bench/report/documents.ts'
import { lossesOf } from '../../bench/report/losses.ts'
import { withSection } from '../../bench/report/section.ts'
import { enclosed, findStale } from '../../bench/report/stale.ts'
import { workloadTables } from '../../bench/report/workload-tables.ts'
import { formatResults, type Results } from '../../bench/results.ts'
import { someResults } from './some-results.ts'

const root = new URL('../../', import.meta.url)
const textAt = (path: string) => {
  const url = new URL(path, root)
  return existsSync(url) ? readFileSync(url, 'utf8') : undefined
}

/** What the repository would show after a run with these results. */
function textsShowing(results: Results): Map<string, string> {
  const texts = new Map([[chart.path, chart.write(results)]])
  for (const { path, place, write } of documents) {
    const before = `# Title\n\n${place.before ?? ''}\n\nText.\n`
    texts.set(path, withSection(before, place, enclosed(place, write(results))))
  }
  return texts
}

it('the documents and the chart show what bench/results/full.json says', () => {
  const full = textAt('bench/results/full.json')
  const paths = [chart.path, ...documents.map(({ path }) => path)]
  const texts = paths.flatMap((path): [string, string][] => {
    const text = textAt(path)
    return text === undefined ? [] : [[path, text]]
  })

  const stale = findStale(full === undefined ? undefined : JSON.parse(full), new Map(texts))

  assert.deepEqual(stale, [])
})

it('every README.md has the place where figures are put', () => {
  for (const { path, place } of documents) {
    const text = textAt(path)
    assert.ok(text)
    assert.ok(withSection(text, place, enclosed(place, 'figures')).includes('\nfigures\n'))
  }
})

it('what differs by one figure is told, each by its path', () => {
  const results = someResults()
  const texts = textsShowing(results)
  assert.deepEqual(findStale(results, texts), [])

  const others = someResults()
  others.windows['same page']?.ours?.fill({
    ...others.windows['same page'].ours[0],
    processorUs: 21,
  } as never)

  assert.equal(findStale(others, texts).length, 3)
  for (const [path, text] of texts) {
    const edited = new Map(texts).set(path, text.replace('2', '3'))
    const stale = findStale(results, edited)
    const isWithinMarks = path === chart.path
    if (isWithinMarks)
      assert.deepEqual(
        stale.map((sentence) => sentence.split(' ')[0]),
        [path],
      )
  }
})

it('figures without results are told', () => {
  const stale = findStale(undefined, textsShowing(someResults()))

  assert.equal(stale.length, 3)
  for (const sentence of stale) assert.match(sentence, /there is no bench\/results\/full\.json/)
})

it('a second run replaces the figures of the first, and leaves the rest', () => {
  const [{ place } = assert.fail('no document')] = documents
  const readme = `# Title\n\n${place.before}\n\nText with $& in it.\n`

  const once = withSection(readme, place, enclosed(place, 'first $1'))
  const twice = withSection(once, place, enclosed(place, 'second $1'))

  assert.equal(twice, once.replace('first', 'second'))
  assert.ok(twice.endsWith(`${place.before}\n\nText with $& in it.\n`))
})

it('results come back from their file as they went, five digits of each number', () => {
  const results = someResults()
  const text = formatResults(results)

  assert.deepEqual(JSON.parse(text), results)
  assert.ok(text.split('\n').every((line) => (line.match(/"processorUs"/g) ?? []).length !== 1))
})

it('a dash has its reason, and a contender that is better is named', () => {
  const results = someResults()

  assert.match(workloadTables(results), /- raw Bun\.serve: it does not answer/)
  const losses = lossesOf(results)
  assert.ok(
    losses.includes('one animal: Elysia + bun:sqlite 21, we 24 µs of processor per answer.'),
  )
  assert.ok(
    losses.every((loss) => !loss.startsWith('same page: Fastify')),
    losses.join('\n'),
  )
})

it('the chart begins with the workload where we stand worst, and is well-formed where names have brackets', () => {
  const svg = chart.write(someResults())

  assert.ok(svg.indexOf('one animal') < svg.indexOf('same page'))
  assert.ok(!svg.includes('ours again'))
})
