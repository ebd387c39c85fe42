import { Elysia, t } from 'elysia'
import {
  cursorPattern,
  filterOf,
  isAuthorized,
  namePattern,
  pageOf,
  petOf,
  type Store,
  sayReady,
} from './parts.ts'

const status = t.Optional(
  t.Union([t.Literal('available'), t.Literal('pending'), t.Literal('sold')]),
)
const query = t.Object({
  limit: t.Integer({ minimum: 1, maximum: 100, default: 20 }),
  status,
  cursor: t.Optional(t.String({ pattern: cursorPattern })),
})
// t.Integer would also accept numeric strings, which a body must not contain.
const newPet = t.Object({
  name: t.String({ minLength: 1, maxLength: 1000, pattern: namePattern }),
  categoryId: t.Number({
    multipleOf: 1,
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  status,
})

/** Serves the interface on Elysia as its documentation shows: request schemas, key check in `onRequest`. */
export function serve(store: Store): void {
  const app = new Elysia()
    .onError(({ code, status }) => {
      // The default is 422.
      if (code === 'VALIDATION' || code === 'PARSE') return status(400, { message: 'Bad request.' })
    })
    .onRequest(({ request, status }) => {
      if (!isAuthorized(request.headers.get('authorization')))
        return status(401, { message: 'No key.' })
    })
    .get(
      '/v1/pets',
      async ({ query, headers, set, status }) => {
        const filter = filterOf(query)
        if (filter === undefined) return status(400, { message: 'No cursor.' })
        const found = store.page(filter)
        const rows = found instanceof Promise ? await found : found
        const { pets, next } = pageOf(rows, filter, headers.host ?? '')
        if (next !== undefined) set.headers.link = next
        return pets
      },
      { query },
    )
    .get(
      '/v1/pets/:id',
      async ({ params: { id }, status }) => {
        const row = await store.one(id)
        return row ? petOf(row) : status(404, { message: 'No such pet.' })
      },
      { params: t.Object({ id: t.Integer({ minimum: 1 }) }) },
    )
    .post(
      '/v1/pets',
      async ({ body, headers, set }) => {
        const row = await store.create(body)
        set.status = 201
        set.headers.location = `http://${headers.host}/v1/pets/${row.id}`
        return petOf(row)
      },
      { body: newPet },
    )
    .listen({ hostname: '127.0.0.1', port: 0 })
  sayReady(app.server?.port ?? 0)
}
