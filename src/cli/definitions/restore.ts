import { buildCommand } from '@stricli/core'
import {
  argument,
  type CliContext,
  documented,
  environment,
  flag,
  loading,
  value,
} from '../define-command.ts'
import type { RestoreFlags } from '../restore.ts'

export const restore = documented(
  {
    usage: 'FILE [OPTIONS]',
    description:
      'Makes a store of a backup, where PETSTORE_DATABASE says, while no service uses that place. The backup is checked completely before anything is changed. Keys and stored results of Idempotency-Keys come along.',
    examples: [
      ['petstore restore pets.backup', 'where there is no store'],
      ['petstore restore pets.backup --replace', 'over a store, which is kept under another name'],
      [
        'petstore restore pets.backup --skip-ids 10000',
        'where the old store is lost: leave the ids unused that it may have assigned since',
      ],
    ],
  },
  buildCommand<RestoreFlags, [file: string | undefined], CliContext>({
    loader: loading(async () => (await import('../restore.ts')).restoreCommand),
    parameters: {
      flags: {
        replace: flag('where there is a store: keep it under another name'),
        'skip-ids': value(
          'N',
          'leave N more ids of each table unused, from 0 to 1,000,000,000,000',
        ),
        json: flag('print one JSON object'),
        environment,
      },
      positional: argument('FILE', 'what backup has written'),
    },
    docs: { brief: 'make a store of a backup' },
  }),
)
