import { defineStorage } from '../../db/storage.ts'
import { insertFirstKey, insertKey } from './create-key.ts'
import { keysList, updateKeyUsed } from './queries.ts'
import { endKey } from './revoke-key.ts'
import { replaceKey } from './rotate-key.ts'
import { changeKey } from './update-key.ts'

export const storage = defineStorage({
  tables: [
    {
      name: 'keys',
      survivesReset: true,
      key: ['id'],
      assignsIds: true,
      ignoresFirstId: true,
      columns: {
        id: { type: 'int64' },
        name: { type: 'text' },
        hint: { type: 'text' },
        digest: { type: 'bytes' },
        scopes: { type: 'text' },
        created_at: { type: 'int64' },
        created_by: { type: 'int64', isNullable: true },
        expires_at: { type: 'int64', isNullable: true },
        last_used_at: { type: 'int64', isNullable: true },
        revoked_at: { type: 'int64', isNullable: true },
        previous_hint: { type: 'text', isNullable: true },
        previous_digest: { type: 'bytes', isNullable: true },
        previous_ends_at: { type: 'int64', isNullable: true },
        rate_limit: { type: 'int64', isNullable: true },
      },
    },
    {
      name: 'keys_revision',
      survivesReset: true,
      key: ['id'],
      columns: { id: { type: 'int64' }, revision: { type: 'int64' } },
      firstRows: [{ id: 1, revision: 0 }],
    },
  ],
  writes: [insertKey, insertFirstKey, changeKey, replaceKey, endKey, updateKeyUsed],
  scans: [keysList.search, keysList.count],
})
