import { buildCommand } from '@stricli/core'
import { documented, environment, flag, loading } from '../define-command.ts'

export const recover = documented(
  {
    usage: '[OPTIONS]',
    description:
      'Makes a store of what can be read of a damaged one, while no process uses it. The damaged files are kept under another name. It prints what is lost, and assigns no id again. SQLite only. A store that is not damaged is not changed.',
    examples: [['petstore recover', 'after a start that was refused with exit code 65']],
  },
  buildCommand({
    loader: loading(async () => (await import('../recover.ts')).recoverCommand),
    parameters: {
      flags: { json: flag('print one JSON object'), environment },
    },
    docs: { brief: 'make a store of what is left of a damaged one' },
  }),
)
