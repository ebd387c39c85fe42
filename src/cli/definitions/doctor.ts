import { buildCommand } from '@stricli/core'
import { documented, environment, flag, loading } from '../define-command.ts'

export const doctor = documented(
  {
    usage: '[OPTIONS]',
    description:
      'Examines what the service needs: settings, files and their rights, the disk and its syncs, the clock, the store, PostgreSQL, the last backup. Each finding says what to do. Changes nothing, beside a running service or without one. The exit code is 79 on errors, not on warnings.',
    examples: [
      ['petstore doctor', 'what is wrong here, if anything'],
      ['petstore doctor --json', 'the same for a monitor'],
    ],
  },
  buildCommand({
    loader: loading(async () => (await import('../doctor.ts')).doctorCommand),
    parameters: {
      flags: { json: flag('print one JSON object with all findings'), environment },
    },
    docs: { brief: 'examine settings, disk, clock and database; exit code 79 on errors' },
  }),
)
