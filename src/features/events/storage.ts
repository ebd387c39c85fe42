import { defineStorage } from '../../db/storage.ts'
import { log } from './log/queries.ts'
import { pruneEvents } from './pruning/prune-events.ts'
import { pruneNext } from './pruning/queries.ts'
import { countEvents } from './queries.ts'

export const storage = defineStorage({
  tables: [
    {
      name: 'events',
      survivesReset: true,
      key: ['id'],
      assignsIds: true,
      ignoresFirstId: true,
      columns: {
        id: { type: 'int64' },
        type: { type: 'text' },
        record: { type: 'text' },
        record_id: { type: 'int64' },
        created_at: { type: 'int64' },
        data: { type: 'text' },
        previous: { type: 'text', isNullable: true },
        actor: { type: 'text' },
        request_id: { type: 'text', isNullable: true },
        traceparent: { type: 'text', isNullable: true },
      },
    },
    {
      name: 'events_feed',
      survivesReset: true,
      key: ['id'],
      columns: {
        id: { type: 'int64' },
        pruned_to: { type: 'int64' },
        counted_to: { type: 'int64' },
        counted: { type: 'int64' },
      },
      firstRows: [{ id: 1, pruned_to: 0, counted_to: 0, counted: 0 }],
    },
  ],
  writes: [pruneNext],
  jobs: [pruneEvents],
  scans: [countEvents],
  log,
})
