import { buildCommand } from '@stricli/core'
import type { BackupFlags } from '../backup.ts'
import {
  argument,
  type CliContext,
  documented,
  environment,
  flag,
  loading,
  value,
} from '../define-command.ts'

export const backup = documented(
  {
    usage: 'FILE [OPTIONS]',
    description:
      'Writes all that a store holds into one verified file, beside the running service or without it. petstore restore reads it, on SQLite and on PostgreSQL. In a folder, the file is named for the environment and the time.',
    examples: [
      ['petstore backup pets.backup', 'one file, which must not exist yet'],
      ['petstore backup /var/backups/petstore --keep 14', 'a new file each time, the last 14'],
      [
        'petstore backup /var/backups/petstore --keep-hourly 24 --keep-daily 14 --keep-weekly 8',
        'for an hourly timer: each hour of a day, then each day, then each week',
      ],
      ['petstore backup pets.backup --check', 'whether that file can be restored'],
    ],
  },
  buildCommand<BackupFlags, [file: string | undefined], CliContext>({
    loader: loading(async () => (await import('../backup.ts')).backupCommand),
    parameters: {
      flags: {
        keep: value(
          'N',
          'where FILE is a folder: keep the last N; delete those that no --keep option keeps',
        ),
        'keep-hourly': value('N', 'keep the newest of each of the last N hours that have one'),
        'keep-daily': value('N', 'keep the newest of each of the last N days that have one'),
        'keep-weekly': value('N', 'keep the newest of each of the last N weeks that have one'),
        replace: flag('where FILE is a backup: put the new one in its place'),
        check: flag('read an existing backup, and say what is in it; change nothing'),
        json: flag('print one JSON object'),
        environment,
      },
      positional: argument('FILE', 'the file, or a folder'),
    },
    docs: { brief: 'write a backup, beside the running service or without it' },
  }),
)
