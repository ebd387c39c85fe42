import { buildCommand } from '@stricli/core'
import { documented, environment, flag, loading, value } from '../define-command.ts'

export const transfer = documented(
  {
    usage: '--from DATABASE --to DATABASE [OPTIONS]',
    description:
      'Moves a store to another database, from SQLite to PostgreSQL or back: records, stock, keys, the next ids, and the results of Idempotency-Keys. Stop the service first. Both stores are verified and compared row by row. Then the old one is not served any more. If a transfer is interrupted, run it again. PETSTORE_DATABASE stands for an omitted option; passwords belong there.',
    examples: [
      [
        'petstore transfer --from sqlite:data/production.db',
        'to the database of PETSTORE_DATABASE',
      ],
      [
        'petstore transfer --to sqlite:data/production.db',
        'from PETSTORE_DATABASE, back to a file',
      ],
      [
        'petstore transfer --release --from sqlite:data/production.db',
        'serve the old store again, as it was then',
      ],
    ],
  },
  buildCommand({
    loader: loading(async () => (await import('../transfer.ts')).transferCommand),
    parameters: {
      flags: {
        from: value('DATABASE', 'the store to move: sqlite:PATH or postgres://…'),
        to: value('DATABASE', 'a place without a store: sqlite:PATH or postgres://…'),
        release: flag('move nothing: let the store of --from, which was moved, be served again'),
        json: flag('print one JSON object with the rows and digests of each table'),
        environment,
      },
    },
    docs: { brief: 'move the store to another database' },
  }),
)
