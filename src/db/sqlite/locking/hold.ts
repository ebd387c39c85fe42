import type { HeldStore } from '../../copying/copying.ts'
import { writeMark } from '../../schema/store-mark.ts'
import type { Storage } from '../../storage.ts'
import type { Connection } from '../connection.ts'
import { explained } from '../explain-opening.ts'
import { findMark, findPending, requireSchemaIn } from '../migrate.ts'
import { openStore } from '../open-store.ts'

/** Holds a file with a store that is up to date, or marked: its lock excludes services, a mark commands. Throws OpenError. */
export async function holdSqliteStore(
  file: string,
  storage: Pick<Storage, 'tables'>,
): Promise<HeldStore> {
  const check = (found: Connection, path: string) =>
    findMark(found) ? findPending(found, path) : requireSchemaIn(found, path, { storage })
  const opening = { path: file, purpose: 'hold', mustExist: true, check } as const
  return openStore(opening, ({ connection, path, close }) => ({
    mark: findMark(connection),
    setMark: (mark) =>
      explained(path, async () => {
        connection.exec('begin immediate')
        await writeMark(connection, mark)
        connection.exec('commit')
      }),
    close: async () => close(),
  }))
}
