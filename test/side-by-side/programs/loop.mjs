// A test that requests one page after another. Arguments: COUNT, and the address and key of a server; or `msw`; or `in-process`
// and the folder where petstore-service is installed. Prints what one request took, in microseconds.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [count, kind, where] = process.argv.slice(2)
const { url, key, close = () => {} } = await target()
const headers = { authorization: `Bearer ${key}` }
const page = async () => {
  const response = await fetch(url, { headers })
  const pets = await response.json()
  if (pets.length !== 20) throw new Error(`${url} gives ${pets.length} pets.`)
}

const warmUp = 200
for (let index = 0; index < warmUp; index++) await page()
// A server's processor time is read by the parent between these lines.
await reached('begin')
const before = process.cpuUsage()
const startMs = performance.now()
for (let index = 0; index < Number(count); index++) await page()
const wallUs = ((performance.now() - startMs) * 1_000) / Number(count)
const { user, system } = process.cpuUsage(before)
await reached('end', { wallUs, processorUs: (user + system) / Number(count) })
await close()
process.exit()

async function target() {
  if (kind === 'msw') {
    const { base } = await import('./msw-handlers.mjs')
    return { url: `${base}/pets?limit=20`, key: 'any-key' }
  }
  if (kind !== 'in-process') return { url: kind, key: where }
  const entry = join(where, 'node_modules/petstore-service/src/start-petstore.js')
  const { startPetstore } = await import(pathToFileURL(entry))
  const pets = JSON.parse(process.env.PETS).map(({ id: _, ...pet }) => pet)
  const store = await startPetstore({ as: 'in-process', fixture: { pets } })
  return { url: `${store.baseUrl}/pets?limit=20`, key: store.key, close: () => store.close() }
}

function reached(point, result) {
  process.send({ point, ...result })
  return new Promise((resolve) => process.once('message', resolve))
}
