import { useMemo, useRef } from 'react'
import { client } from '../api/client.ts'
import { delay } from '../shared/delayed-actions.ts'
import type { RecordAction } from '../table/record-actions.tsx'
import { put } from '../table/record-window.ts'
import type { RecordList } from '../table/use-record-list.ts'
import { mayChange } from './grants.ts'
import type { KeyRow } from './key-list.ts'

/** What can be done to a key, as far as the signed-in one, with these grants, may. */
export function useKeyActions(
  list: RecordList<KeyRow>,
  own: readonly string[],
  rotate: (key: KeyRow) => void,
): readonly RecordAction<KeyRow>[] {
  const latest = useRef({ list, rotate })
  latest.current = { list, rotate }
  return useMemo(() => {
    const isOffered = (key: KeyRow) => mayChange(own, key)
    return [
      {
        label: 'Rotate',
        icon: 'rotate',
        shortcut: 'r',
        isOffered,
        run: (key) => latest.current.rotate(key),
      },
      {
        label: 'Revoke',
        icon: 'trash',
        shortcut: 'Delete',
        isOffered,
        run: (key) =>
          revokeLater(key, (record) => latest.current.list.change((window) => put(window, record))),
      },
    ]
  }, [own])
}

/** Revokes a key after some seconds in which it can be undone. */
function revokeLater(key: KeyRow, done: (key: KeyRow) => void): void {
  const { id, name } = key
  delay({
    id: `key ${id}`,
    verb: 'Revoking',
    name,
    done: `Key ${id} was revoked.`,
    async send() {
      await client.keys.revoke(id)
      done({ ...key, revokedAt: new Date().toISOString() })
    },
  })
}
