import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { isOnPostgres } from '../../../test/harness/engine.ts'
import { isFull, itInFull } from '../../../test/harness/extent.ts'
import { fillPets } from '../../../test/harness/fill.ts'
import {
  at,
  expectServed,
  isRefused,
  sell,
  serve,
  twoPlaces,
} from '../../../test/harness/moved-stores.ts'
import { declared } from '../../app/declared.ts'
import { storage } from '../../app/storage.ts'
import { systemClock, systemRandom } from '../../context/context.ts'
import { oneByOne, type Write } from '../../db/db.ts'
import { holdSource, holdTarget } from '../../db/doors/open.ts'
import { openDbBriefly } from '../../db/open.ts'
import { insertEnvironment } from '../../features/environment/queries.ts'
import { type Step, takeBackStore, transferStore, UnsoundStore } from './transfer-store.ts'

// From a file to a store of this run's engine, and back.

/** Left to one of the two engines by `npm test`. */
const itOnPostgres = isOnPostgres ? it : itInFull
const itOnSqlite = isOnPostgres ? itInFull : it

/** Stops here: the process was killed, or lost a connection. */
class Interrupted extends Error {}

/** What happens at the beginning of a step, or at its first rows. */
type Interruption = {
  step?: Step['name']
  occurrence?: number
  isWhileReading?: true
  act?(): void
}

function interrupt(): never {
  throw new Interrupted()
}

function transfer(from: string, to: string, interruption: Interruption = {}) {
  const { step, occurrence = 1, isWhileReading, act = interrupt } = interruption
  let count = 0
  let current: Step['name'] | undefined
  return transferStore(
    { clock: systemClock, random: systemRandom, ...declared },
    { from: at(from), to: at(to), environment: 'staging' },
    {
      onStep({ name }) {
        if (name !== 'check') current = name
        if (name === step) count += 1
        if (count === occurrence && !isWhileReading && name === step) act()
        return () => undefined
      },
      onProgress() {
        if (count === occurrence && isWhileReading && current === step) act()
      },
      warn: () => undefined,
    },
  )
}

/** Breaks what `petstore verify` checks, unless it is 1. */
const setReserved = oneByOne<number, null>({
  name: 'setReserved',
  async run(sql, reserved) {
    await sql.all(`update pets set reserved = ${reserved} where id = 1`)
    return null
  },
})

/** Opens a store as a command does. */
function openBriefly(address: string, writes: readonly Write<never, unknown>[] = []) {
  return openDbBriefly(at(address), {
    storage: { ...storage, writes: [...storage.writes, ...(writes as Write<unknown, unknown>[])] },
  })
}

/** A command that writes. */
async function write(address: string) {
  const db = await openBriefly(address)
  await db.write(insertEnvironment, 'staging').finally(() => db.close())
}

describe('a transfer', () => {
  itOnPostgres(
    'moves all that a client sees, and the first store is not used any more',
    async (t) => {
      const { file, other } = await twoPlaces(t)
      const sold = await sell(file)

      await transfer(file, other)

      await assert.rejects(
        serve(file),
        isRefused(/was transferred to .* petstore transfer --release/),
      )
      await assert.rejects(write(file), isRefused(/was transferred to/))
      await expectServed(other, sold)
    },
  )

  itInFull('moves a store back to a file', async (t) => {
    const { file, other } = await twoPlaces(t)
    const sold = await sell(other)

    await transfer(other, file)

    await assert.rejects(serve(other), isRefused(/was transferred to/))
    await assert.rejects(write(other), isRefused(/was transferred to/))
    await expectServed(file, sold)
  })

  itInFull('is refused for a store that was transferred, until that is taken back', async (t) => {
    const { file, other } = await twoPlaces(t)
    const sold = await sell(file)
    await transfer(file, other)

    await assert.rejects(transfer(file, `${file}-2`), isRefused(/was transferred to/))
    await takeBackStore(storage, at(file))

    await expectServed(file, sold)
    await assert.rejects(takeBackStore(storage, at(file)), isRefused(/was not transferred/))
  })

  for (const [when, interruption] of Object.entries<Interruption>({
    'before it copies': { step: 'copy' },
    'while it copies': { step: 'copy', isWhileReading: true },
    'before it compares': { step: 'compare' },
    'while it compares': { step: 'compare', isWhileReading: true },
    'before it checks the copy': { step: 'check', occurrence: 2 },
  })) {
    itInFull(
      `is begun again after an interruption ${when}; meanwhile only the first store is used`,
      async (t) => {
        const { file, other } = await twoPlaces(t)
        const sold = await sell(file)

        await assert.rejects(transfer(file, other, interruption), Interrupted)

        if (when.includes('compare') || when.includes('checks')) {
          await assert.rejects(
            serve(other),
            isRefused(/target of a transfer from .* has not ended/),
          )
          await assert.rejects(takeBackStore(storage, at(other)), isRefused(/has not ended/))
        }
        await expectServed(file, sold)
        await transfer(file, other)
        await expectServed(other, sold)
      },
    )
  }

  itInFull('is completed after an interruption between the marks of both stores', async (t) => {
    const { file, other } = await twoPlaces(t)
    const sold = await sell(file)
    await assert.rejects(transfer(file, other, { step: 'check', occurrence: 2 }), Interrupted)
    const target = await holdTarget(at(other), storage)
    await target.close()
    const source = await holdSource(at(file), storage.tables)
    assert.ok(target.mark)
    await source.setMark({ ...target.mark, state: 'left' })
    await source.close()

    await assert.rejects(serve(file), isRefused(/was transferred/))
    await assert.rejects(serve(other), isRefused(/has not ended/))
    await transfer(file, other)

    await assert.rejects(serve(file), isRefused(/was transferred/))
    await expectServed(other, sold)
  })

  itInFull('keeps a command that had opened the store before from writing to it', async (t) => {
    const { file, other } = await twoPlaces(t)
    await sell(file)
    const db = await openBriefly(file)

    await transfer(file, other)

    await assert.rejects(db.write(insertEnvironment, 'staging'), isRefused(/was transferred to/))
    await db.close()
  })

  itOnSqlite(
    'is refused where the copy differs: the first store is served as before',
    async (t) => {
      const { file } = await twoPlaces(t)
      const other = `${file}-2`
      const sold = await sell(file)
      const spoil = () => {
        using database = new DatabaseSync(other.replace('sqlite:', ''))
        database.exec('delete from categories')
      }

      const refused = transfer(file, other, { step: 'compare', act: spoil })

      await assert.rejects(refused, isRefused(/has of categories differs from what was copied/))
      await expectServed(file, sold)
      await assert.rejects(serve(other), isRefused(/has not ended/))
    },
  )

  itInFull('is refused while one of the two is served, in both directions', async (t) => {
    const { file, other } = await twoPlaces(t)
    const source = await serve(file)
    await assert.rejects(transfer(file, other), isRefused(/is being served by .* Stop it, and run/))
    await source.close()
    if (!isFull) return
    const target = await serve(other)

    await assert.rejects(transfer(file, other), isRefused(/is being served/))
    await assert.rejects(transfer(other, file), isRefused(/is being served/))
    await target.close()
  })

  itInFull('keeps services and commands out of both stores', async (t) => {
    const { file, other } = await twoPlaces(t)
    await sell(file)
    const source = await holdSource(at(file), storage.tables)
    const target = await holdTarget(at(other), storage)

    const isHeld = isRefused(/is being (?:served|transferred)/)
    for (const address of [file, other]) await assert.rejects(serve(address), isHeld)
    await target.close()
    await source.close()
  })

  itInFull('is refused where there is a store already, and leaves both as they are', async (t) => {
    const { file, other } = await twoPlaces(t)
    const [sold, another] = [await sell(file), await sell(other)]

    await assert.rejects(transfer(file, other), isRefused(/There is a store at .* already/))

    await expectServed(file, sold)
    await expectServed(other, another)
  })

  itInFull(
    'is refused for a store of the other environment, and for one that is not there',
    async (t) => {
      const { file, other } = await twoPlaces(t)
      await assert.rejects(transfer(file, other), isRefused(/There is no store at/))
      const app = await startApp({
        settings: { PETSTORE_DATABASE: file, PETSTORE_ENVIRONMENT: 'production' },
      })
      await app.close()

      await assert.rejects(transfer(file, other), isRefused(/holds the data of production/))
    },
  )

  itInFull('moves a large store, unless the copy has findings', async (t) => {
    const { file, other } = await twoPlaces(t)
    const sold = await sell(file)
    await fillPets(file, 20_000)
    const db = await openBriefly(file, [setReserved])
    await db.write(setReserved, 0)

    const refused = await transfer(file, other).catch((error) => error)
    await db.write(setReserved, 1)
    await db.close()
    await transfer(file, other)
    await transfer(other, `${file}-2`)

    assert.ok(refused instanceof UnsoundStore, String(refused))
    await expectServed(`${file}-2`, { ...sold, lastId: sold.lastId + 20_000 })
  })

  itInFull('is refused for a store with findings', async (t) => {
    const { file, other } = await twoPlaces(t)
    const sold = await sell(file)
    const db = await openBriefly(file, [setReserved])
    await db.write(setReserved, 0)
    await db.close()

    await assert.rejects(transfer(file, other), UnsoundStore)

    await expectServed(file, sold)
    // Throws where a store is there that may be served.
    const place = await holdTarget(at(other), storage)
    await place.close()
  })
})
