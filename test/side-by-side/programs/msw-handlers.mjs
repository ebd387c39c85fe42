import { delay } from 'msw'
import { HttpResponse, http } from 'msw/http'
import { setupServer } from 'msw/node'

/** Its fetch is answered in this process. */
export const base = 'http://petstore.example/v1'
const pets = JSON.parse(process.env.PETS)

/** As its documentation begins: handlers with an array for what is created. */
const server = setupServer(
  http.get(`${base}/pets`, () => HttpResponse.json(pets)),
  http.get(`${base}/pets/:petId`, ({ params }) => {
    const pet = pets.find(({ id }) => String(id) === params.petId)
    return pet ? HttpResponse.json(pet) : new HttpResponse(null, { status: 404 })
  }),
  http.post(`${base}/pets`, async ({ request }) => {
    const pet = { id: pets.length + 1, ...(await request.json()) }
    pets.push(pet)
    return HttpResponse.json(pet, { status: 201 })
  }),
  http.get('http://petstore.example/cats', () => HttpResponse.json([{ name: 'Tom' }])),
)
server.listen({ onUnhandledFrame: 'error' })

export const forces = {
  error: () => server.use(http.get(`${base}/pets`, () => new HttpResponse(null, { status: 503 }))),
  delay: () =>
    server.use(
      http.get(`${base}/pets`, async () => {
        await delay(1_000)
        return HttpResponse.json(pets)
      }),
    ),
  cut: () =>
    server.use(
      http.post(`${base}/pets`, async ({ request }) => {
        pets.push({ id: pets.length + 1, ...(await request.json()) })
        return HttpResponse.error()
      }),
    ),
}
