import type { Send } from '../../harness/sell-in-store.ts'

/** This many clients order, ship, deliver, cancel and delete until they are stopped. */
export function sellAtOnce(count: number, send: Send) {
  const quiet = new AbortController()
  const rounds = Array<number>(count).fill(0)

  async function sell(client: number) {
    while (!quiet.signal.aborted) {
      await sellOnce(send, `${client}-${rounds[client]}`)
      rounds[client] = (rounds[client] ?? 0) + 1
    }
  }

  const clients = Promise.all(rounds.map((_, client) => sell(client)))
  const failed = new Promise<never>((_, reject) => void clients.catch(reject))
  failed.catch(() => undefined)
  return {
    /** How often each has done all of it. */
    rounds,
    /** Rejects once a request is refused. */
    failed,
    async stop() {
      quiet.abort()
      await clients
    },
  }
}

async function sellOnce(send: Send, key: string): Promise<void> {
  const pet = { name: key, categoryId: 1, status: 'available' }
  const { id: petId } = await send('POST', '/pets', pet, `p${key}`)
  await send('PATCH', `/inventory/${petId}`, { quantity: 5 })
  const { id } = await send('POST', '/store/orders', { petId, quantity: 2 }, `o${key}`)
  const { id: other } = await send('POST', '/store/orders', { petId, quantity: 3 })
  await send('POST', `/store/orders/${id}/ship`, undefined, `s${key}`)
  await send('DELETE', `/store/orders/${other}`)
  await send('POST', `/store/orders/${id}/deliver`)
  await send('PATCH', `/pets/${petId}`, { name: `Ω${key}` })
  await send('DELETE', `/pets/${petId}`)
}
