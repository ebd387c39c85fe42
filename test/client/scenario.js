// What each platform does with the installed package; plain JavaScript, for the oldest of them too.

/** Uses a store through the package. Throws where a promise of the client does not hold; else tells what it did. */
export async function useClient(
  { PetstoreClient, PetstoreApiError, stringifyJson },
  { baseUrl, key },
) {
  const warnings = []
  const client = new PetstoreClient({
    baseUrl,
    key,
    retryDelayMs: 1,
    onWarning: (message) => warnings.push(message),
  })
  const expect = (isSo, promise) => {
    if (!isSo) throw new Error(`It does not hold that ${promise}.`)
  }

  const {
    data: pet,
    etag,
    isReplayed,
  } = await client.pets
    .create({ name: 'Rex', categoryId: 9007199254740993n, status: 'available' })
    .withResponse()
  expect(pet.categoryId === 9007199254740993n, 'an int64 is exact')
  expect(typeof pet.id === 'number', 'a safe integer is a number')
  // By the client or, where it reused a connection, by the browser itself.
  expect(isReplayed, 'a create whose answer is lost is repeated, and has one effect')
  expect(
    stringifyJson(pet).includes('"categoryId":9007199254740993'),
    'an int64 is written exactly',
  )

  await client.pets.create({ name: 'Tara', categoryId: 9007199254740993n })
  const names = []
  const query = { categoryId: 9007199254740993n, limit: 1 }
  for await (const { name } of client.pets.list(query)) names.push(name)
  expect(String(names) === 'Rex,Tara', 'pages are walked')
  expect((await client.pets.list(query, { count: true })).total === 2, 'records are counted')

  const error = await client.pets.create({ name: '', categoryId: 1 }).catch((thrown) => thrown)
  expect(
    error instanceof PetstoreApiError && error.problems[0].pointer === '/name',
    'errors have pointers',
  )
  expect(Boolean(error.requestId), 'errors have the id of the request')
  const changed = await client.pets.update(pet.id, { name: 'Max' }, { ifMatch: etag })
  expect(changed.name === 'Max', 'a pet is changed as it was read')
  await client.pets.get(pet.id)
  await client.pets.get(pet.id)
  expect(
    warnings.length === 1 && warnings[0].includes('2030-12-05'),
    'a deprecated operation is named once',
  )

  const order = await client.orders.create({ petId: pet.id })
  await client.orders.cancel(order.id)
  const controller = new AbortController()
  const aborted = client.pets.list({}, { signal: controller.signal }).catch((thrown) => thrown)
  controller.abort(new Error('enough'))
  expect((await aborted).message === 'enough', 'an aborted call rejects with the reason')
  await client.pets.delete(pet.id)
  for await (const { id } of client.pets.list(query)) await client.pets.delete(id)
  return 'uses the store'
}
