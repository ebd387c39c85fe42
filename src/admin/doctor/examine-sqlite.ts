import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { placeOf } from '../../db/files/place-of.ts'
import { lookAtFile } from '../../db/sqlite/look.ts'
import { checkBackupOf } from './backup.ts'
import { checkClock } from './clock.ts'
import { describeFiles } from './describe-files.ts'
import { checkDisk } from './disk.ts'
import { checkFiles } from './files.ts'
import { measureDisk } from './measure-disk.ts'
import { selectContents } from './queries.ts'
import { checkStore, type StoreFacts } from './store.ts'
import type { NamedChecks, Subject } from './subject.ts'

/** The groups of checks of a store in a file, in the order in which each may rely on those before. */
export function groups({ config, storage, firstKeyFile, clock, random }: Subject): NamedChecks[] {
  const { environment } = config
  const path = placeOf(config.database.name)
  const folder = dirname(path)
  const nowMs = clock()
  let store: StoreFacts | undefined
  const checkDiskOf = async () =>
    checkDisk(await measureDisk({ environment, folder, path }, random))
  return [
    ['files', async () => checkFiles(await describeFiles(path, firstKeyFile))],
    ['disk', () => (existsSync(folder) ? checkDiskOf() : [])],
    [
      'store',
      async () => {
        const read = selectContents(nowMs)
        store = { ...(await lookAtFile(path, { storage, read })), environment }
        return checkStore(store)
      },
    ],
    ['clock', () => checkClock({ environment, nowMs, newestMs: store?.contents?.newestMs })],
    ['backup', () => (store ? checkBackupOf(storage, store, nowMs) : [])],
  ]
}
