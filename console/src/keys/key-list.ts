import type { Int64, Key } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import type { Version } from '../editor/use-save.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'

/** A key as the list shows it: what it was issued with is one text. */
export type KeyRow = Omit<Key, 'scopes'> & { grants: string }

export function keyRowOf({ scopes, ...key }: Key): KeyRow {
  return { ...key, grants: scopes.join(' ') }
}

/** All keys, in the order in which they were created. */
export function useKeyList(): RecordList<KeyRow> {
  return useRecordList<KeyRow>({
    key: ['keys'],
    // No event tells of a use: the list is polled.
    kinds: ['key', 'use of a key'],
    order: 'id',
    async fetch(query, options) {
      const { data, nextCursor } = await reader.keys.list(query, options)
      return { data: data.map(keyRowOf), nextCursor }
    },
  })
}

/** A key as it is now; throws where there is none. Keys have no ETag. */
export async function fetchKey(id: Int64, signal?: AbortSignal): Promise<Version<KeyRow>> {
  const key = await reader.keys.get(id, { signal })
  return { record: keyRowOf(key) }
}
