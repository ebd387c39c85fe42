import type { Int64, Key } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import type { Version } from '../editor/saver.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'

/** All keys, in the order in which they were created. */
export function useKeyList(): RecordList<Key> {
  return useRecordList<Key>({
    key: ['keys'],
    // No event tells of a use: the list is polled.
    kinds: ['key', 'use of a key'],
    order: 'id',
    fetch: (query, options) => reader.keys.list(query, options),
  })
}

/** A key as it is now; throws where there is none. Keys have no ETag. */
export async function fetchKey(id: Int64): Promise<Version<Key>> {
  return { record: await reader.keys.get(id) }
}
