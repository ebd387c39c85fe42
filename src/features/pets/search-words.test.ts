import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCodePoint } from '../../../test/harness/any-code-point.ts'
import { expectError, startApp, type TestApi, type TestApp } from '../../../test/harness/app.ts'
import { amount, itInFull } from '../../../test/harness/extent.ts'
import { hostileTexts } from '../../../test/harness/hostile-texts.ts'
import { runJobs } from '../../app/jobs.ts'
import { wordsOf } from '../../contract/words.ts'
import { insertPets } from './queries.ts'

type PetAnswer = { headers: Record<string, string>; json(): unknown }

const idsOf = (answer: PetAnswer) => (answer.json() as { id: number }[]).map(({ id }) => id)
const search = (api: TestApi, text: string, more = '') =>
  api.get(`/v1/pets?search=${encodeURIComponent(text)}${more}`)

async function startWith(names: readonly string[]): Promise<TestApp> {
  const app = await startApp()
  await insertNames(app, names)
  return app
}

async function insertNames({ context }: TestApp, names: readonly string[]) {
  const inserted = names.map((name, index) =>
    context.db.write(insertPets, { name, categoryId: BigInt(index % 3) }),
  )
  await Promise.all(inserted)
}

function hasWords(name: string, begins: readonly string[]): boolean {
  const words = wordsOf(name)
  return begins.every((begin) => words.some((word) => word.startsWith(begin)))
}

async function found(api: TestApi, text: string): Promise<number[]> {
  const response = await search(api, text, '&limit=100')
  assert.equal(response.status, 200, response.text)
  return idsOf(response)
}

it('200: finds the pets whose names have words that begin with those of the search, in any order', async () => {
  const app = await startWith([
    'Sunny, cream Maine Coon',
    'Björk, fawn rex rat',
    'Coonhound of Maine',
    'Domaine, racoon',
    'Rex',
  ])

  for (const isIndexed of [false, true]) {
    if (isIndexed) await runJobs(app.context)
    assert.deepEqual(await found(app.api, 'maine'), [1, 3])
    assert.deepEqual(await found(app.api, 'COON, main'), [1, 3])
    assert.deepEqual(await found(app.api, 'cream maine'), [1])
    assert.deepEqual(await found(app.api, 'bjork'), [2])
    assert.deepEqual(await found(app.api, 'Bjo\u0308rk'), [2])
    assert.deepEqual(await found(app.api, 'rex'), [2, 5])
    assert.deepEqual(await found(app.api, 'ex'), [])
    assert.deepEqual(await found(app.api, 'rex bjork rex maine'), [])
  }
})

it('400: a search without words, with nine of them, too long, sent twice, or with characters that no name has', async () => {
  const { api } = await startWith(['Rex'])

  for (const text of [
    ...['', ' ', '\u0301', '🐕', '%', '*', '"', "'\\_", '\u202e', 'a\0', 'a\n', 'x'.repeat(201)],
    ...['a b c d e f g h i', 'word '.repeat(1_000), '猫犬鳥馬牛羊豚猿鼠'],
  ]) {
    const response = await search(api, text)
    expectError(response, 400, 'invalid_parameter')
    assert.match(response.text, /search must be 1 to 8 words of letters or digits/, text)
  }
  for (const [query, message] of [
    ['search=a&search=a', /search was sent twice; send it once/],
    ['search=%ed%a0%80', /search must be percent-encoded UTF-8/],
  ] as const) {
    const response = await api.get(`/v1/pets?${query}`)
    expectError(response, 400, 'invalid_parameter')
    assert.match(response.text, message)
  }
  const problem = { headers: { accept: 'application/problem+json' } }
  assert.match((await api.get('/v1/pets?search=%20', problem)).text, /"parameter":"search"/)
  assert.deepEqual(await found(api, 'a a b c d e f g h'), [])
})

it('200: combines with every filter, sort, limit, total and entity tag', async () => {
  const { api } = await startApp()
  await api.createPet({ name: 'Old Rex', categoryId: 1, status: 'available' })
  await api.createPet({ name: 'Rexina old', categoryId: 2, status: 'available' })
  await api.createPet({ name: 'rexy, older', categoryId: 1, status: 'sold' })
  await api.createPet({ name: 'Max', categoryId: 1, status: 'available' })
  const count = (query: string) =>
    api.get(`/v1/pets?search=old+rex&${query}`, { headers: { prefer: 'count=exact' } })

  for (const [query, ids] of [
    ['status=available', [1, 2]],
    ['categoryId=1', [1, 3]],
    ['categoryId=1&status=sold', [3]],
    ['id=4&id=2&id=3', [2, 3]],
    ['name=REX', [2, 3]],
    ['name=rex&categoryId=1', [3]],
    ['sort=-id', [3, 2, 1]],
    ['sort=-id&after=3', [2, 1]],
    ['after=1', [2, 3]],
    ['status=pending', []],
  ] as const) {
    const response = await count(query)
    assert.deepEqual(idsOf(response), ids, query)
    const total = query.includes('after') ? 3 : ids.length
    assert.equal(response.headers['x-total-count'], String(total), query)
  }
  const limited = await count('limit=2')
  assert.deepEqual(idsOf(limited), [1, 2])
  const next = /[?&](cursor=[\w-]+)/.exec(limited.headers.link ?? '')?.[1]
  assert.deepEqual(idsOf(await count(`${next}`)), [3])
  for (const other of ['search=old', 'search=rex+old', 'limit=2']) {
    expectError(await api.get(`/v1/pets?${other}&${next}`), 400, 'invalid_cursor')
  }
  const tagged = await search(api, 'old', '&id=1')
  assert.equal(tagged.headers.etag, (await api.get('/v1/pets/1')).headers.etag)
})

it('200: a rare word is found by its index, and a new name at once', async () => {
  const app = await startWith(Array.from({ length: 700 }, (_, index) => `Rex ${index + 1}`))
  await runJobs(app.context)
  app.context.db.scan = () => Promise.reject(new Error('This search needs no scan.'))

  assert.deepEqual(await found(app.api, 'rex 650'), [650])
  assert.deepEqual(await found(app.api, 'nobody'), [])
  assert.deepEqual(idsOf(await search(app.api, '650', '&categoryId=1')), [650])
  assert.deepEqual(idsOf(await search(app.api, '650', '&categoryId=2')), [])
  // The index is read behind the first 101 pets; a pet at that border is found once.
  assert.deepEqual(idsOf(await search(app.api, '101', '&limit=100')), [101])
  assert.deepEqual(idsOf(await search(app.api, '600', '&limit=100&sort=-id')), [600])
  await app.api.send('PATCH', '/v1/pets/650', { body: { name: 'Nobody' } })
  await app.api.send('DELETE', '/v1/pets/300')
  const { id } = await app.api.createPet({ name: 'Nobody else' })

  assert.deepEqual(await found(app.api, 'nobody'), [650, id])
  assert.deepEqual(await found(app.api, '650'), [])
  assert.deepEqual(await found(app.api, '300'), [])
})

describe('a search meets exactly the pets that a comparison of every name finds', () => {
  const some = fc.constantFrom(
    ...['Rex', 'réx', 'ß', 'SS', 'ς', 'Σ', '猫', 'ね', 'İ', 'i', '한', '하', 'ﬁ', 'f', '²', '2'],
    ...['\u0301', '\u{10400}', '\u{10428}', '🐕', '%', '*', '"', ' ', ' ', ' ', '-', 'ม', 'ִ'],
  )
  const hostile = fc.oneof(
    fc.array(some, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
    fc.string({ unit: anyCodePoint, minLength: 1, maxLength: 8 }),
    fc.constantFrom(...hostileTexts),
  )
  const name = hostile.map((text) => {
    const allowed = Array.from(text.replace(/\p{Cc}/gu, ''))
    return `${allowed.slice(0, 999).join('')}.`
  })
  const change = fc.record({ id: fc.nat({ max: 30 }), name: fc.option(name) })

  it('property: before and after names are indexed, changed and deleted', async () => {
    await fc.assert(
      fc.asyncProperty(
        ...([
          fc.array(name, { minLength: 1, maxLength: 30 }),
          fc.array(change, { maxLength: 5 }),
        ] as const),
        ...([hostile, fc.integer({ min: 1, max: 6 }), fc.constantFrom('id', '-id')] as const),
        async (names, changes, text, limit, sort) => {
          const wanted = wordsOf(text)
          fc.pre(wanted.length > 0 && wanted.length <= 8 && !/\p{Cc}/u.test(text))
          fc.pre(Array.from(text).length <= 200)
          const app = await startWith(names)
          const stored = new Map(names.map((one, index) => [index + 1, one]))
          const expected = () => {
            const ids = [...stored].filter(([, one]) => hasWords(one, wanted)).map(([id]) => id)
            return sort === 'id' ? ids : ids.reverse()
          }
          const more = `&sort=${sort}&limit=${limit}`

          assert.deepEqual(await walk(app.api, text, more), expected())
          await runJobs(app.context)
          for (const { id, name } of changes) {
            if (!stored.has(id)) continue
            if (name === null) stored.delete(id)
            else stored.set(id, name)
            const path = `/v1/pets/${id}`
            const { status } =
              name === null
                ? await app.api.send('DELETE', path)
                : await app.api.send('PATCH', path, { body: { name } })
            assert.equal(status, name === null ? 204 : 200)
          }
          assert.deepEqual(await walk(app.api, text, more), expected())
          await app.close()
        },
      ),
      { numRuns: amount({ quick: 8, full: 300 }) },
    )
  })
})

itInFull(
  '200: finds what is rare, frequent and far apart, across rounds, indexed in part',
  async () => {
    const app = await startApp()
    const total = 24_000
    const nameOf = (id: number) =>
      [
        'pet',
        ...(id % 2 ? ['odd'] : ['even']),
        ...(id % 7 === 0 ? ['seventh'] : []),
        ...(id % 5_000 === 0 ? ['rare'] : []),
        ...(id > 20_000 ? ['late'] : []),
      ].join(' ')
    const names = Array.from({ length: total }, (_, index) => nameOf(index + 1))
    for (let from = 0; from < total; from += 4_000) {
      await insertNames(app, names.slice(from, from + 4_000))
      // The last pets are not indexed.
      if (from < 16_000) await runJobs(app.context)
    }

    for (const text of ['pet', 'odd', 'even seventh', 'rare', 'late', 'late seventh', 'odd even']) {
      for (const sort of ['id', '-id'] as const) {
        const ids = names.flatMap((name, index) =>
          hasWords(name, wordsOf(text)) ? [index + 1] : [],
        )
        assert.deepEqual(
          await walk(app.api, text, `&sort=${sort}&limit=100`),
          sort === 'id' ? ids : ids.reverse(),
          text,
        )
        const one = ids.filter((id) => ((id - 1) % 4_000) % 3 === 1)
        assert.deepEqual(await walk(app.api, text, `&categoryId=1&sort=${sort}&limit=100`), one)
      }
    }
  },
)

/** Pages through a search; returns all pets found, as many as the first page counted. */
async function walk(api: TestApi, text: string, more: string): Promise<number[]> {
  const ids: number[] = []
  let total: number | undefined
  const first = `/v1/pets?search=${encodeURIComponent(text)}${more}`
  for (let url: string | undefined = first; url !== undefined; ) {
    const headers = total === undefined ? { prefer: 'count=exact' } : {}
    const page: PetAnswer & { status: number; text: string } = await api.get(url, { headers })
    assert.equal(page.status, 200, page.text)
    total ??= Number(page.headers['x-total-count'])
    ids.push(...idsOf(page))
    assert.ok(ids.length <= total, 'The walk meets more than there is.')
    url = /^<http:\/\/petstore\.test(\S+)>; rel="next"$/.exec(page.headers.link ?? '')?.[1]
  }
  assert.equal(total, ids.length)
  return ids
}
