import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'

const lists = ['/v1/pets', '/v1/categories', '/v1/store/orders', '/v1/inventory']

type Item = { id?: number; petId?: number }
type ListAnswer = { headers: Record<string, string>; json(): unknown }

const idOf = ({ id, petId }: Item) => id ?? petId
const idsOf = (answer: ListAnswer) => (answer.json() as Item[]).map(idOf)

/** A store with five records in each list. */
async function startFilledApp() {
  const app = await startApp()
  for (let made = 1; made <= 5; made++) {
    await app.api.createPet({ status: 'available' })
    await app.api.post('/v1/categories', { name: `category ${made}` })
    await app.api.post('/v1/store/orders', { petId: made })
  }
  return app
}

/** The target of the `next` link, in the form of a request. */
function nextOf({ headers }: ListAnswer): string {
  return /^<http:\/\/petstore\.test(\/v1\/[^>]+)>; rel="next"$/.exec(headers.link ?? '')?.[1] ?? ''
}

for (const list of lists) {
  it(`200: ${list} can be paged in both directions with ids from the bodies alone`, async () => {
    const { api } = await startFilledApp()

    for (const [sort, expected] of [
      ['id', [1, 2, 3, 4, 5]],
      ['-id', [5, 4, 3, 2, 1]],
    ] as const) {
      const walked: unknown[] = []
      let page = idsOf(await api.get(`${list}?limit=2&sort=${sort}`))
      while (page.length > 0 && walked.length < 5) {
        walked.push(...page)
        page = idsOf(await api.get(`${list}?limit=2&sort=${sort}&after=${page.at(-1)}`))
      }
      assert.deepEqual(walked, expected)
    }
  })
}

it('200: after an id that does not exist, or before the first', async () => {
  const { api } = await startFilledApp()
  await api.send('DELETE', '/v1/store/orders/3')
  await api.send('DELETE', '/v1/pets/3')

  assert.deepEqual(idsOf(await api.get('/v1/pets?after=3')), [4, 5])
  assert.deepEqual(idsOf(await api.get('/v1/pets?after=3&sort=-id')), [2, 1])
  assert.deepEqual(idsOf(await api.get('/v1/pets?after=0')), [1, 2, 4, 5])
  assert.deepEqual(idsOf(await api.get('/v1/pets?after=9223372036854775807')), [])
  assert.deepEqual(idsOf(await api.get('/v1/pets?after=1&id=2&id=1')), [2])
})

it('200: after with a search by name', async () => {
  const { api } = await startFilledApp()

  assert.deepEqual(idsOf(await api.get('/v1/pets?name=re&after=2&limit=2')), [3, 4])
  assert.deepEqual(idsOf(await api.get('/v1/pets?name=re&after=4&sort=-id')), [3, 2, 1])
})

it('200: the next link has a cursor in place of after, and works', async () => {
  const { api } = await startFilledApp()

  const page = await api.get('/v1/pets?after=1&limit=2&status=pending')

  assert.match(nextOf(page), /^\/v1\/pets\?limit=2&status=pending&cursor=[\w-]+$/)
  assert.deepEqual(idsOf(await api.get(nextOf(page))), [4, 5])
})

it('200: after changes neither the list that a cursor belongs to nor the total', async () => {
  const { api } = await startFilledApp()
  const next = nextOf(await api.get('/v1/pets?limit=2'))

  const same = await api.get(`${next}&after=2`)
  const counted = await api.get('/v1/pets?after=4', { headers: { prefer: 'count=exact' } })

  assert.deepEqual(idsOf(same), [3, 4])
  assert.equal(counted.headers['x-total-count'], '5')
})

it('400: after and a cursor with different positions, or a cursor of another list', async () => {
  const { api } = await startFilledApp()
  const next = nextOf(await api.get('/v1/pets?limit=2'))

  for (const after of ['0', '1', '3']) {
    expectError(await api.get(`${next}&after=${after}`), 400, 'invalid_parameter')
  }
  expectError(await api.get(`${next}&sort=-id&after=2`), 400, 'invalid_cursor')
  expectError(await api.get('/v1/pets?cursor=x&after=x'), 400, 'invalid_parameter')
})
