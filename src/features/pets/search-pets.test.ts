import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { expectError, startApp, type TestApi, type TestApp } from '../../../test/harness/app.ts'
import { amount, cases } from '../../../test/harness/extent.ts'

type PetAnswer = { headers: Record<string, string>; json(): unknown }

const idsOf = (answer: PetAnswer) => (answer.json() as { id: number }[]).map(({ id }) => id)
const search = (api: TestApi, name: string, more = '') =>
  api.get(`/v1/pets?name=${encodeURIComponent(name)}${more}`)

async function startWith(names: readonly string[]): Promise<TestApp> {
  const app = await startApp()
  for (const name of names) await app.api.createPet({ name })
  return app
}

async function namesFound(api: TestApi, name: string): Promise<string[]> {
  const response = await search(api, name, '&limit=100')
  assert.equal(response.status, 200, response.text)
  return (response.json() as { name: string }[]).map((pet) => pet.name)
}

it('200: finds the pets whose name starts with the text, in any case, and no others', async () => {
  const { api } = await startWith(['Rex', 'rEXINA', 'T-Rex', 'Re', 'Max', ' Rex'])

  for (const name of ['rex', 'REX', 'Rex', 'rEx']) {
    assert.deepEqual(await namesFound(api, name), ['Rex', 'rEXINA'], name)
  }
  assert.deepEqual(await namesFound(api, 'r'), ['Rex', 'rEXINA', 'Re'])
  assert.deepEqual(await namesFound(api, 'rexinas'), [])
  assert.deepEqual(await namesFound(api, ' '), [' Rex'])
  assert.deepEqual(idsOf(await api.get('/v1/pets?name=+rex')), [6])
})

/** Each text of a group finds all others of the group, since they differ in case alone, and nothing outside of it. */
const groups: Record<string, { same: readonly string[]; others: readonly string[] }> = {
  umlauts: { same: ['Äpfel', 'äPFEL'], others: ['Apfel', 'A\u0308pfel', 'Æpfel'] },
  'sharp s': { same: ['Straße', 'STRASSE', 'strasse', 'STRAẞE'], others: ['Strase', 'Strabe'] },
  'sigma at an end': { same: ['ΟΔΟΣ', 'οδος', 'οδοσ'], others: ['ΟΔΟ', 'οδό'] },
  'dotted I': {
    same: ['İzmir', 'i\u0307ZMIR', 'I\u0307zmir'],
    others: ['izmir', 'Izmir', 'ızmir'],
  },
  'dotless i': { same: ['ırmak', 'IRMAK', 'irmak'], others: ['İrmak', 'írmak'] },
  'ligatures of ff': { same: ['ﬀi', 'FFI', 'ﬃ', 'fﬁ'], others: ['ﬀï', 'f i'] },
  'letters that are also symbols': {
    same: ['\u212Aelvin', 'kelvin', 'Kelvin'],
    others: ['ќelvin'],
  },
  'long s': { same: ['ſam', 'Sam'], others: ['ƒam'] },
  'digraphs in three cases': { same: ['Ǆ', 'ǅ', 'ǆ'], others: ['DŽ', 'ǉ'] },
  'accented letters whose upper case is several characters': {
    same: ['\u0390', '\u0399\u0308\u0301', '\u1fd3'],
    others: ['\u03aa\u0301', '\u0399\u0308'],
  },
  'letters beyond 16 bits': { same: ['\u{10400}b', '\u{10428}B'], others: ['\u{10401}b'] },
  emoji: { same: ['🐕‍🦺 REX', '🐕‍🦺 rex'], others: ['🐕 rex', '🐈 rex'] },
  'letters without case': { same: ['犬', '犬'], others: ['猫', 'イヌ'] },
}

describe('texts that differ in case alone match each other, and no other texts do', () => {
  for (const [title, { same, others }] of cases(Object.entries(groups), { quickEvery: 4 })) {
    it(`200: ${title}`, async () => {
      const { api } = await startWith([...same, ...same.map((name) => `${name}x`), ...others])
      const expected = [...same, ...same.map((name) => `${name}x`)]

      for (const name of same) assert.deepEqual(await namesFound(api, name), expected, name)
    })
  }
})

it('200: % and _ and other pattern characters match only themselves', async () => {
  const signs = ['%', '_', '\\', '*', '?', '[', '^', '.', '"', "'", '$1', '?1', ':a', '{}', '\\%']
  const { api } = await startWith([...signs.map((sign) => `${sign}x`), 'x', 'aax', 'a_x'])

  for (const sign of signs) {
    const expected = sign === '?' ? ['?x', '?1x'] : sign === '\\' ? ['\\x', '\\%x'] : [`${sign}x`]
    assert.deepEqual(await namesFound(api, sign), expected, sign)
  }
  assert.deepEqual(await namesFound(api, 'a_'), ['a_x'])
  assert.deepEqual(await namesFound(api, 'a%'), [])
})

describe('a prefix that ends with the last character of a range', () => {
  for (const [title, prefix, others] of cases(
    [
      ['U+10FFFF', 'x\u{10ffff}', ['x', 'y', 'x\u{10fffe}']],
      ['U+10FFFF alone', '\u{10ffff}', ['x', '\u{10fffe}']],
      ['U+10FFFF twice', '\u{10ffff}\u{10ffff}', ['\u{10ffff}', '\u{10ffff}x', 'x']],
      ['U+D7FF', 'x\ud7ff', ['x', 'x\ue000', 'x\ud7fe', 'x😀']],
      ['U+FFFF', 'x\uffff', ['x😀', 'x\u{10000}', 'x\ufffe', 'y']],
      ['U+10000', 'x\u{10000}', ['x\uffff', 'x\u{10001}', 'x\ue000']],
    ] as const,
    { quickEvery: 4 },
  )) {
    it(`200: ${title}`, async () => {
      const found = [prefix, `${prefix}a`, `${prefix}\u{10ffff}`, `${prefix}\ue000`]
      const { api } = await startWith([...others, ...found])

      assert.deepEqual(await namesFound(api, prefix), found)
    })
  }
})

it('200: all 100 characters of a prefix count, whatever their length in another case', async () => {
  for (const character of ['x', 'ß', '\u0390', '😀', '\u{10400}']) {
    const longest = character.repeat(100)
    const { api } = await startWith([
      character.repeat(1000),
      longest,
      `${character.repeat(99)}y`,
      character.repeat(99),
    ])

    assert.deepEqual(idsOf(await search(api, longest)), [1, 2])
    assert.deepEqual(idsOf(await search(api, `${character.repeat(99)}y`)), [3])
  }
})

it('400: an empty search, one of 101 characters, several, or a character that no name may have', async () => {
  const { api } = await startWith(['Rex'])

  for (const query of [
    'name=',
    'name',
    'name=r&name=r',
    `name=${'x'.repeat(101)}`,
    'name=a%00',
    'name=%0A',
    'name=%ff',
    'name=%ed%a0%80',
    `name=${encodeURIComponent('😀'.repeat(101))}`,
  ]) {
    const response = await api.get(`/v1/pets?${query}`)
    expectError(response, 400, 'invalid_parameter')
    assert.match(
      response.text,
      /name (?:must be 1 to 100 characters|must be percent-encoded|was sent twice; send it once)/,
    )
  }
  assert.equal((await search(api, '😀'.repeat(100))).status, 200)
})

/** Texts that are the same to a search, written by hand: nothing here comes from the source. */
const letters = {
  a: ['a', 'A'],
  b: ['b', 'B'],
  ä: ['ä', 'Ä'],
  σ: ['σ', 'ς', 'Σ'],
  ss: ['ß', 'SS', 'ss', 'ẞ'],
  '%': ['%'],
  _: ['_'],
  '😀': ['😀'],
  '\u{10428}': ['\u{10400}', '\u{10428}'],
  '\ud7ff': ['\ud7ff'],
  '\u{10ffff}': ['\u{10ffff}'],
}

const texts = (minLength: number, maxLength: number) =>
  fc
    .array(
      fc
        .constantFrom(...Object.entries(letters))
        .chain(([folded, forms]) =>
          fc.constantFrom(...forms).map((written) => ({ folded, written })),
        ),
      { minLength, maxLength },
    )
    .map((parts) => ({
      folded: parts.map(({ folded }) => folded).join(''),
      written: parts.map(({ written }) => written).join(''),
    }))

it('property: paging through a search meets exactly the matches, each once, in order', async () => {
  const pet = fc.record({ name: texts(1, 4), categoryId: fc.integer({ min: 1, max: 2 }) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(pet, { maxLength: 30 }),
      texts(1, 2),
      fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom('id', '-id'),
      async (pets, prefix, categoryId, limit, sort) => {
        const { api, close } = await startApp()
        for (const { name, categoryId } of pets) {
          await api.createPet({ name: name.written, categoryId })
        }
        const matching = pets
          .map((pet, index) => ({ ...pet, id: index + 1 }))
          .filter(({ name }) => name.folded.startsWith(prefix.folded))
          .filter((pet) => categoryId === undefined || pet.categoryId === categoryId)
          .map(({ id }) => id)

        const category = categoryId === undefined ? '' : `&categoryId=${categoryId}`
        const { ids, total } = await walk(
          api,
          prefix.written,
          `${category}&sort=${sort}&limit=${limit}`,
        )

        assert.deepEqual(ids, sort === 'id' ? matching : matching.reverse())
        assert.equal(total, matching.length)
        await close()
      },
    ),
    { numRuns: amount({ quick: 2, full: 25 }) },
  )
})

/** Pages through a search; returns all pets found, and the total that the first page gave. */
async function walk(api: TestApi, name: string, more: string) {
  const ids: number[] = []
  const first = `/v1/pets?name=${encodeURIComponent(name)}${more}`
  let total: number | undefined
  for (let url: string | undefined = first; url !== undefined; ) {
    const headers = total === undefined ? { prefer: 'count=exact' } : {}
    const page: PetAnswer = await api.get(url, { headers })
    total ??= Number(page.headers['x-total-count'])
    ids.push(...idsOf(page))
    assert.ok(ids.length <= total, 'The walk meets more than there is.')
    url = /^<http:\/\/petstore\.test(\S+)>; rel="next"$/.exec(page.headers.link ?? '')?.[1]
  }
  return { ids, total }
}
