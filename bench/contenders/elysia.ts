import { Elysia, t } from 'elysia'
import {
  afterCursor,
  cursorPattern,
  type Filter,
  isAuthorized,
  namePattern,
  nextLink,
  petOf,
  type Row,
  sayReady,
} from './parts.ts'

type NewPet = { name: string; categoryId: number; status?: string }

/** What the two databases do for Elysia. */
type Store = {
  page(filter: Filter): Promise<Row[]> | Row[]
  one(id: number): Promise<Row | null> | Row | null
  create(pet: NewPet): Promise<Row> | Row
}

const status = t.Optional(
  t.Union([t.Literal('available'), t.Literal('pending'), t.Literal('sold')]),
)
const query = t.Object({
  limit: t.Integer({ minimum: 1, maximum: 100, default: 20 }),
  status,
  cursor: t.Optional(t.String({ pattern: cursorPattern })),
})
// t.Integer would take text that looks like one, which a body must not have.
const newPet = t.Object({
  name: t.String({ minLength: 1, maxLength: 1000, pattern: namePattern }),
  categoryId: t.Number({
    multipleOf: 1,
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  status,
})

/** Serves the interface on Elysia, as its documentation builds it: schemas in, the key in `onBeforeHandle`. */
export function serve(store: Store): void {
  const app = new Elysia()
    .onError(({ code, status }) => {
      // Elysia would say 422.
      if (code === 'VALIDATION' || code === 'PARSE') return status(400, { message: 'Bad request.' })
    })
    .onRequest(({ request, status }) => {
      if (!isAuthorized(request.headers.get('authorization')))
        return status(401, { message: 'No key.' })
    })
    .get(
      '/v1/pets',
      async ({ query: { limit, status: wanted, cursor }, headers, set, status }) => {
        const after = afterCursor(cursor)
        if (after === undefined) return status(400, { message: 'No cursor.' })
        const filter = { limit, status: wanted, after }
        const found = store.page(filter)
        const rows = found instanceof Promise ? await found : found
        const shown = rows.slice(0, limit)
        const last = shown.at(-1)
        if (rows.length > limit && last)
          set.headers.link = nextLink(headers.host ?? '', filter, last.id)
        return shown.map(petOf)
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
