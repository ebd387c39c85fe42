import type { StoreReader } from '../copying/copying.ts'
import { connect } from './connection.ts'
import { explainOpening } from './prepare.ts'
import { readerOn } from './store-reader.ts'

/**
 * Reads the rows of a file that nobody changes, such as a backup, to compare them; it may be read-only. Throws OpenError.
 */
export function openFileReader(path: string): StoreReader {
  try {
    const connection = connect(path, 'immutable')
    return {
      ...readerOn(connection, path, { readsAnyText: true }),
      close: async () => connection.close(),
    }
  } catch (error) {
    throw explainOpening(path, error)
  }
}
