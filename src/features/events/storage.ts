import { defineStorage } from '../../db/storage.ts'
import { eventsCheck } from './check-events.ts'
import { log } from './log/queries.ts'
import { pruneEvents } from './pruning/prune-events.ts'
import { pruneNext } from './pruning/queries.ts'
import { countEvents } from './queries.ts'

export const storage = defineStorage({
  tables: [
    { name: 'events', survivesReset: true, assignsIds: true },
    {
      name: 'events_feed',
      survivesReset: true,
      firstRows: [{ id: 1, pruned_to: 0, counted_to: 0, counted: 0, fanned_out_to: null }],
    },
  ],
  writes: [pruneNext],
  jobs: [pruneEvents],
  scans: [countEvents],
  checks: [eventsCheck],
  log,
})
