import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { type Attempt, CreateRecord, checkCreates, sendCreate, type WirePet } from './creates.ts'

/** A stand-in for the service that a test can make faulty: it behaves correctly except that it lists `pets`. */
class SpoilableStore {
  pets: WirePet[] = []
  nextStatus: number | 'break' = 201
  #server = http.createServer((request, response) => this.#answer(request, response))

  async listen(): Promise<{ baseUrl: string; key: string }> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const { port } = this.#server.address() as AddressInfo
    return { baseUrl: `http://127.0.0.1:${port}/v1`, key: 'any' }
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    if (request.method === 'GET') return this.#list(request, response)
    let body = ''
    for await (const chunk of request) body += chunk
    if (this.nextStatus === 'break') return void response.destroy()
    const id = BigInt(this.pets.length + 1)
    const text = `{"id":${id},${body.slice(1)}`
    const pet = JSON.parse(body)
    const categoryId = BigInt(/"categoryId":(\d+)/.exec(body)?.[1] ?? '')
    if (this.nextStatus !== 400) this.pets.push({ id, ...pet, categoryId })
    response.writeHead(this.nextStatus).end(text)
  }

  #list(request: http.IncomingMessage, response: http.ServerResponse): void {
    const from = Number(new URL(request.url ?? '', 'http://store').searchParams.get('from'))
    const next = `<http://${request.headers.host}/v1/pets?limit=100&from=${from + 100}>; rel="next"`
    if (from + 100 < this.pets.length) response.setHeader('link', next)
    const texts = this.pets.slice(from, from + 100).map((pet) => {
      const members = Object.entries(pet).map(([name, value]) => {
        return `"${name}":${typeof value === 'bigint' ? value : JSON.stringify(value)}`
      })
      return `{${members.join(',')}}`
    })
    response.end(`[${texts.join(',')}]`)
  }
}

/** Pets of a store that is spoiled. */
const count = 12

describe('checkCreates', async () => {
  const stores: SpoilableStore[] = []
  after(() => {
    for (const store of stores) store.close()
  })

  async function storeWithPets(count: number) {
    const store = new SpoilableStore()
    stores.push(store)
    const target = await store.listen()
    const record = new CreateRecord('spoiled')
    const attempts: Attempt[] = []
    for (let n = 0; n < count; n++) attempts.push(await sendCreate(target, record))
    const check = () => checkCreates(target, record)
    return { store, target, record, attempts, check }
  }

  it('passes a correct list of several pages, with int64 ids compared to the last digit', async () => {
    const { record, check } = await storeWithPets(250)
    assert.equal((await check()).length, 250)
    assert.equal(record.count('acknowledged'), 250)
  })

  it('passes creates with an unknown outcome, stored or not', async () => {
    const { store, target, record, check } = await storeWithPets(3)
    store.nextStatus = 503
    await sendCreate(target, record)
    store.nextStatus = 'break'
    await sendCreate(target, record)

    assert.equal((await check()).length, 4)
    assert.equal(record.count('unknown'), 2)
  })

  const plants: [string, RegExp, (store: SpoilableStore, attempts: Attempt[]) => void][] = [
    ['a lost pet', /1 violations.*\n {2}lost: /, (store) => store.pets.splice(9, 1)],
    ['a loss of all', /12 violations.*\n {2}lost: /, (store) => store.pets.splice(0)],
    [
      'a lost pet whose 201 was cut off',
      /lost: /,
      (store, attempts) => {
        delete attempts[7]?.pet
        store.pets.splice(7, 1)
      },
    ],
    ['a changed name', /foreign: .*\n {2}lost: /, ({ pets }) => change(pets[3], { name: 'x' })],
    ['a changed categoryId', /changed: /, ({ pets }) => change(pets[5], { categoryId: 4n })],
    [
      'a categoryId rounded to a double',
      /changed: /,
      ({ pets }) => change(pets[5], { categoryId: BigInt(Number(pets[5]?.categoryId)) }),
    ],
    ['a changed id', /changed: /, ({ pets }) => change(pets.at(-1), { id: 999n })],
    ['an added member', /changed: /, ({ pets }) => change(pets[9], { colour: 'red' })],
    ['a null status', /changed: /, ({ pets }) => change(pets[0], { status: null })],
    ['a pet that is there twice', /duplicated: /, ({ pets }) => copy(pets, 4, 13n)],
    ['an id that is there twice', /not ascending: /, ({ pets }) => copy(pets, 11, 12n)],
    ['a wrong order', /not ascending: /, ({ pets }) => pets.reverse()],
    ['a foreign pet', /foreign: /, ({ pets }) => pets.push({ id: 13n, name: 'nobody sent me' })],
    [
      'a 201 with another pet',
      /was answered with/,
      (_, attempts) => change(attempts[6]?.pet, { categoryId: 0n, name: 'other' }),
    ],
    [
      'one id in two responses',
      /id given twice: /,
      (_, attempts) => change(attempts[8]?.pet, { id: 1n }),
    ],
  ]
  for (const [what, violation, plant] of plants) {
    it(`reports ${what}`, async () => {
      const { store, attempts, check } = await storeWithPets(count)
      plant(store, attempts)
      await assert.rejects(check, { message: violation })
    })
  }

  it('reports a refused create that is stored nevertheless', async () => {
    const { store, target, record, check } = await storeWithPets(2)
    store.nextStatus = 400
    const refused = await sendCreate(target, record)
    store.pets.push({ id: 3n, ...refused.sent })
    await assert.rejects(check, /refused \(400\), yet there/)
  })

  it('reports a response that is not JSON', async () => {
    const { attempts, check } = await storeWithPets(2)
    if (attempts[1]) attempts[1].pet = { text: '{"id":2,' }
    await assert.rejects(check, /no id: /)
  })

  it('reports an id that is assigned again after a check has seen a higher one', async () => {
    const { target, record, check } = await storeWithPets(5)
    await check()
    record.highestIdChecked = 99n
    await sendCreate(target, record)
    await assert.rejects(check, /id 6 given after 99/)
  })
})

function change(pet: WirePet | undefined, members: WirePet): void {
  assert.ok(pet)
  Object.assign(pet, members)
}

function copy(pets: WirePet[], index: number, id: bigint): void {
  pets.push({ ...pets[index], id })
}
