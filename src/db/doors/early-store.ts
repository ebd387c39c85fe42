import { existsSync } from 'node:fs'
import type { RowReader } from '../copying/copying.ts'
import { damagedError } from '../errors.ts'
import { placeOf } from '../files/place-of.ts'
import { requireEarly } from '../schema/early.ts'
import { noStore } from '../schema/require-schema.ts'
import { connect } from '../sqlite/connection.ts'
import { readerOn } from '../sqlite/copying/store-reader.ts'
import { explainOpening } from '../sqlite/explain-opening.ts'
import { findLossAt } from '../sqlite/loss/read-file-state.ts'
import { appliedIn, requireUnmarkedIn } from '../sqlite/migrate.ts'
import type { Storage } from '../storage.ts'

/** Reads a store of before 1.0.0 in a file that no process uses meanwhile. Throws `configuration` for any other, `damaged`. */
export async function openEarlyStore(
  { requireAdoptable }: Pick<Storage, 'requireAdoptable'>,
  given: string,
): Promise<RowReader & Disposable> {
  const path = placeOf(given)
  if (!existsSync(path)) throw noStore(path)
  if (findLossAt(path)) {
    throw damagedError(
      `${path} is damaged, or lacks commits. Nothing was changed; first run petstore recover of the version that made it.`,
    )
  }
  using opened = new DisposableStack()
  try {
    const connection = opened.use(connect(path, existsSync(`${path}-wal`) ? 'read' : 'immutable'))
    requireEarly(appliedIn(connection), path)
    requireUnmarkedIn(connection, path)
    await requireAdoptable?.(connection, path)
    connection.exec('begin')
    opened.move()
    return { ...readerOn(connection, path), [Symbol.dispose]: connection.close }
  } catch (error) {
    throw explainOpening(path, error)
  }
}
