import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { expectError, startApp, type TestApp } from '../../../test/harness/app.ts'
import { amount } from '../../../test/harness/extent.ts'

type Pet = { id: number; categoryId: number; status?: string }
type PetAnswer = { headers: Record<string, string>; json(): unknown }

const statuses = ['available', 'pending', 'sold'] as const

async function startAppWithPets(count: number, options = {}) {
  const app = await startApp(options)
  for (let made = 0; made < count; made++) await app.api.createPet({ status: 'sold' })
  return app
}

const idsOf = (answer: PetAnswer) => (answer.json() as Pet[]).map(({ id }) => id)

/** The target of the `next` link, in the form of a request. */
function nextOf({ headers }: PetAnswer): string | undefined {
  const link = /^<http:\/\/petstore\.test(\/v1\/[^>]+)>; rel="next"$/.exec(headers.link ?? '')
  assert.equal(link === null, headers.link === undefined, headers.link ?? 'no link')
  return link?.[1]
}

function cursorOf(answer: PetAnswer): string {
  return /[?&]cursor=([\w-]+)$/.exec(nextOf(answer) ?? '')?.[1] ?? ''
}

it('200: pages of 20 follow each other by absolute links; the last page has no link', async () => {
  const { api } = await startAppWithPets(41)

  const first = await api.get('/v1/pets')
  const second = await api.get(nextOf(first) ?? '')
  const third = await api.get(nextOf(second) ?? '')

  assert.match(
    first.headers.link ?? '',
    /^<http:\/\/petstore\.test\/v1\/pets\?cursor=[\w-]+>; rel="next"$/,
  )
  assert.deepEqual(
    [first, second, third].map((page) => idsOf(page).length),
    [20, 20, 1],
  )
  assert.deepEqual(
    [first, second, third].flatMap(idsOf),
    Array.from({ length: 41 }, (_, index) => index + 1),
  )
  assert.equal(third.headers.link, undefined)
})

it('200: a last page that is full has no next link', async () => {
  const { api } = await startAppWithPets(4)

  assert.equal((await api.get('/v1/pets?limit=4')).headers.link, undefined)
  const first = await api.get('/v1/pets?limit=2')
  assert.equal((await api.get(nextOf(first) ?? '')).headers.link, undefined)
})

it('200: a next link repeats the parameters as the client wrote them, unknown ones too, except the cursor', async () => {
  const { api } = await startAppWithPets(3)

  const first = await api.get('/v1/pets?limit=1&note=a?b&%73tatus=s%6Fld&&tag=<x>&tag=%22#part')
  const second = await api.get(nextOf(first) ?? '')

  const kept = '/v1/pets?limit=1&note=a?b&%73tatus=s%6Fld&tag=%3Cx%3E&tag=%22&cursor='
  assert.equal(nextOf(first), kept + cursorOf(first))
  assert.equal(nextOf(second), kept + cursorOf(second))
  assert.notEqual(cursorOf(first), cursorOf(second))
  assert.deepEqual(idsOf(second), [2])
})

it('200: without PETSTORE_PUBLIC_URL a link has the host of the request', async () => {
  const { api } = await startAppWithPets(2, {
    settings: { PETSTORE_PUBLIC_URL: undefined },
  })

  const response = await api.get('/v1/pets?limit=1', { headers: { host: 'pets.example:81' } })

  assert.match(
    response.headers.link ?? '',
    /^<http:\/\/pets\.example:81\/v1\/pets\?limit=1&cursor=/,
  )
})

it('400: a cursor is valid for its list only, with the same filters and order', async () => {
  const { api } = await startAppWithPets(3)
  const cursor = cursorOf(await api.get('/v1/pets?status=sold&categoryId=7&limit=1'))

  for (const url of [
    `/v1/pets?cursor=${cursor}`,
    `/v1/pets?status=sold&cursor=${cursor}`,
    `/v1/pets?status=pending&categoryId=7&cursor=${cursor}`,
    `/v1/pets?status=sold&categoryId=8&cursor=${cursor}`,
    `/v1/pets?status=sold&categoryId=7&id=1&cursor=${cursor}`,
    `/v1/pets?status=sold&categoryId=7&sort=-id&cursor=${cursor}`,
    `/v1/store/orders?cursor=${cursor}`,
  ]) {
    expectError(await api.get(url), 400, 'invalid_cursor')
  }
  const unfiltered = cursorOf(await api.get('/v1/pets?limit=1'))
  expectError(await api.get(`/v1/store/orders?cursor=${unfiltered}`), 400, 'invalid_cursor')
  const fits = await api.get(`/v1/pets?sort=id&categoryId=7&status=sold&cursor=${cursor}`)
  assert.deepEqual(idsOf(fits), [2, 3])
})

it('400: a cursor that is altered, cut, empty or sent twice is refused', async () => {
  const { api } = await startAppWithPets(2)
  const cursor = cursorOf(await api.get('/v1/pets?limit=1'))
  const changed = cursor.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))

  for (const query of [
    ...['', '0', 'x', '%ff', '%00', changed, cursor.slice(1), cursor.slice(0, -1)].map(
      (text) => `cursor=${text}`,
    ),
    `cursor=${cursor}A`,
    `cursor=${cursor}%3D%3D`,
    `cursor=${cursor}&cursor=${cursor}`,
    'cursor',
  ]) {
    expectError(await api.get(`/v1/pets?${query}`), 400, 'invalid_cursor')
  }
})

it('property: paging during inserts neither repeats nor skips a record that existed at its start', async () => {
  const pet = fc.record({
    categoryId: fc.integer({ min: 1, max: 2 }),
    status: fc.constantFrom(undefined, ...statuses),
  })
  const limit = fc.integer({ min: 1, max: 6 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(pet, { maxLength: 25 }),
      fc.array(fc.array(pet, { maxLength: 2 }), { maxLength: 8 }),
      fc.array(limit, { minLength: 1, maxLength: 4 }),
      fc.record(
        {
          status: fc.constantFrom(...statuses),
          categoryId: fc.integer({ min: 1, max: 2 }),
          id: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 }),
        },
        { requiredKeys: [] },
      ),
      fc.constantFrom('id' as const, '-id' as const),
      async (before, during, limits, filter, sort) => {
        const app = await startApp()
        const stored: Pet[] = []
        for (const newPet of before) stored.push(await app.api.createPet(newPet))
        const expected = inModel(stored, filter, sort)

        const walked = await walk(app, { filter, sort, limits }, async (page) => {
          for (const newPet of during[page] ?? []) stored.push(await app.api.createPet(newPet))
        })

        assert.deepEqual(
          walked.filter((id) => expected.includes(id)),
          expected,
        )
        const matching = inModel(stored, filter, sort)
        assert.deepEqual(
          walked,
          matching.filter((id) => walked.includes(id)),
        )
        await app.close()
      },
    ),
    { numRuns: amount({ quick: 2, full: 40 }) },
  )
})

type Filter = { status?: string; categoryId?: number; id?: number[] }

/** A list by definition: the matching records, in order. */
function inModel(pets: readonly Pet[], { status, categoryId, id }: Filter, sort: 'id' | '-id') {
  const ids = pets
    .filter((pet) => status === undefined || pet.status === status)
    .filter((pet) => categoryId === undefined || pet.categoryId === categoryId)
    .filter((pet) => id?.includes(pet.id) ?? true)
    .map((pet) => pet.id)
  return sort === 'id' ? ids : ids.reverse()
}

/** More pages than any list of this property has. */
const pagesMax = 100

/** Follows a list to its end with a different limit on each page; `between` runs after each. */
async function walk(
  { api }: TestApp,
  { filter, sort, limits }: { filter: Filter; sort: string; limits: readonly number[] },
  between: (page: number) => Promise<void>,
): Promise<number[]> {
  const query = new URLSearchParams({ sort })
  for (const [name, values] of Object.entries(filter)) {
    for (const value of [values].flat()) query.append(name, String(value))
  }
  const ids: number[] = []
  let cursor = ''
  for (let page = 0; page === 0 || cursor !== ''; page++) {
    const limit = limits[page % limits.length] as number
    const at = cursor === '' ? '' : `&cursor=${cursor}`
    const response = await api.get(`/v1/pets?${query}&limit=${limit}${at}`)
    const found = idsOf(response)
    assert.ok(found.length <= limit)
    ids.push(...found)
    assert.ok(page < pagesMax, 'The walk has no end.')
    cursor = cursorOf(response)
    await between(page)
  }
  return ids
}
