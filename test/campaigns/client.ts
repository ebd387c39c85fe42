/**
 * npm run test:client -- [--only retries | package | browser] [--creates N] [--seed N]
 * The client, far beyond what the gate does: ten thousand creates over a way that fails, while the service is killed and
 * started again; the package as it is published, on every platform; a browser. Exits with 1 where a promise does not hold.
 */
import { parseArgs } from 'node:util'
import { tryPackage } from '../processes/client-package.ts'
import { retryCreates } from '../processes/client-retries.ts'
import { withSeed } from './with-seed.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    creates: { type: 'string', default: '10000' },
    seed: { type: 'string' },
  },
})
const isWanted = (part: string) => (values.only ?? part) === part

await withSeed('client', values.seed, async (seed) => {
  if (isWanted('retries')) {
    const done = await retryCreates({ creates: Number(values.creates), seed })
    const kinds = Object.entries(done.faults).map(([fault, count]) => `${fault} ${count}`)
    console.log(
      `retries: ${done.creates} creates in ${done.requests} requests (${kinds.join(', ')}; ${done.kills} kills); ` +
        `${done.replayed} were answered again, none doubled, none lost.`,
    )
  }
  for await (const line of tryPackage(isWanted)) console.log(line)
})
process.exit()
