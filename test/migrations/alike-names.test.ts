import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../harness/app.ts'
import { cases } from '../harness/extent.ts'
import { anOldStore } from '../harness/old-stores.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

for (const engine of cases(['sqlite', 'postgres'] as const, { quickEvery: 2 })) {
  it(`categories of an older store on ${engine} whose names look alike stay, are named in the log, and can be changed`, async (t) => {
    const store = await anOldStore(t, engine, '0022_trace_events')
    await store.run(`insert into categories (name, name_key) values
      ('Dogs', 'dogs'), ('Dogs ', 'dogs '), ('Cats', 'cats'), ('dogs  ', 'dogs  ')`)

    const { api, logLines, close } = await startApp({
      settings: { PETSTORE_DATABASE: store.address },
    })
    const patch = (id: number, body: object) => api.send('PATCH', `/v1/categories/${id}`, { body })
    const named = logLines.flatMap((line) => /Category \d.*name\./.exec(JSON.parse(line).msg) ?? [])

    const names = async () =>
      ((await api.get('/v1/categories')).json() as { name: string }[]).map(({ name }) => name)
    assert.deepEqual(await names(), ['Dogs', 'Dogs ', 'Cats', 'dogs  '])
    assert.deepEqual(named, [
      'Category 2, "Dogs ", looks like category 1, "Dogs". Both stay; give one another name.',
      'Category 4, "dogs  ", looks like category 1, "Dogs". Both stay; give one another name.',
    ])
    const described = await patch(2, { name: 'Dogs ', description: 'Hounds.' })
    assert.deepEqual(described.json(), { id: 2, name: 'Dogs ', description: 'Hounds.' })
    for (const name of ['Dogs', 'DOGS ', 'cats ']) {
      expectError(await patch(2, { name }), 409, 'category_exists')
      expectError(await api.post('/v1/categories', { name }), 409, 'category_exists')
    }
    for (const id of [1, 4]) assert.equal((await patch(id, { name: `Hounds ${id}` })).status, 200)
    // The name of the last one that looks so is still taken.
    expectError(await api.post('/v1/categories', { name: 'dogs' }), 409, 'category_exists')
    assert.equal((await patch(2, { name: 'DOGS' })).status, 200)
    expectError(await api.post('/v1/categories', { name: 'Dogs ' }), 409, 'category_exists')
    await close()

    const env = { PETSTORE_DATABASE: store.address, PETSTORE_ENVIRONMENT: 'staging' }
    const verified = await petstoreInThread(['verify'], { env })
    assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  })
}
