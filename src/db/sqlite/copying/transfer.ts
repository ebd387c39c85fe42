import { closeSync, existsSync, rmSync, statSync } from 'node:fs'
import type { HeldSource, HeldTarget } from '../../copying/copying.ts'
import { configurationError } from '../../errors.ts'
import { deleteDatabase, openEmpty, placeFile, sideEndings } from '../../files/place-file.ts'
import type { Storage, Table } from '../../storage.ts'
import { selectMark, type TransferMark, transferMarkTable, writeMark } from '../../transfer-mark.ts'
import { type Connection, connect } from '../connection.ts'
import { explained } from '../explain-opening.ts'
import { enterDatabase } from '../locking/lock.ts'
import { prepareTarget } from '../locking/prepare.ts'
import { unfinishedStore } from '../locking/replace-store.ts'
import { requireSchemaIn, tablesIn } from '../migrate.ts'
import { openStore } from '../open-store.ts'
import { readerOn } from './store-reader.ts'
import { openSqliteWriter } from './store-writer.ts'

/** Holds a file: its lock excludes services, and its transaction every other writer. Throws OpenError. */
export async function holdSqliteSource(
  file: string,
  tables: readonly Table[],
): Promise<HeldSource> {
  const check = (found: Connection, path: string) =>
    requireSchemaIn(found, path, { storage: { tables }, admitsMarked: true })
  const opening = { path: file, purpose: 'hold', mustExist: true, check } as const
  return openStore(opening, async ({ connection, path, close }) => {
    connection.exec('begin immediate')
    return {
      ...readerOn(connection, path),
      mark: await selectMark(connection),
      setMark: (mark) => explained(path, () => commitMark(connection, mark)),
      close: async () => close(),
    }
  })
}

/** Commits the transaction that is open. */
async function commitMark(connection: Connection, mark: TransferMark | undefined): Promise<void> {
  await writeMark(connection, mark)
  connection.exec('commit')
}

/** Holds a path where no file is, or that of an interrupted transfer. Throws OpenError. */
export async function holdSqliteTarget(file: string, storage: Storage): Promise<HeldTarget> {
  const path = prepareTarget(file)
  const unfinished = unfinishedStore(path)
  using held = new DisposableStack()
  held.use(enterDatabase(path, 'hold'))
  const mark = await explained(path, () => findUnfinished(path))
  const lock = held.move()
  return {
    mark,
    async fill(next) {
      // From here on no service creates a store at this place, even if this process is killed.
      closeSync(openEmpty(unfinished))
      const writer = await openSqliteWriter(unfinished, storage, { mark: next })
      return {
        ...writer,
        async finish() {
          await writer.finish()
          // Left by an interrupted transfer. Nothing in them is needed: its file is marked and complete.
          for (const ending of sideEndings) rmSync(path + ending, { force: true })
          placeFile(unfinished, path)
        },
        async close() {
          await writer.close()
          deleteDatabase(unfinished)
        },
      }
    },
    // The lock ends with this process.
    requireHeld: async () => {},
    release: () => explained(path, () => removeMark(path)),
    close: async () => lock.dispose(),
  }
}

/** The mark of a file that a transfer has not completed; `undefined` without a file. Throws OpenError for another file. */
async function findUnfinished(path: string): Promise<TransferMark | undefined> {
  if (!existsSync(path) || statSync(path).size === 0) return undefined
  using connection = connect(path)
  const hasMarks = tablesIn(connection).includes(transferMarkTable)
  const mark = hasMarks ? await selectMark(connection) : undefined
  if (mark?.state === 'arriving') return mark
  throw configurationError(
    `There is a store at ${path} already. Nothing was changed; move it away, or name another path.`,
  )
}

async function removeMark(path: string): Promise<void> {
  using connection = connect(path)
  connection.exec('begin immediate')
  await commitMark(connection, undefined)
}
