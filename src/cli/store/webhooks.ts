import { resumeWebhooks } from '../../features/webhooks/resume-webhooks.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { counted, printJson, tell } from '../text/print.ts'
import { withStore } from './with-store.ts'

/** `webhooks resume`: lets a store send that was restored or recovered. Throws `ExitError`, `OpenError`. */
export async function resumeWebhooksCommand(flags: FlagsOf<'json'>): Promise<number> {
  const inMemorySentence = 'A store in memory was never restored: its webhooks are not paused.'
  return withStore(flags, { inMemorySentence }, async (context) => {
    const resumed = await resumeWebhooks(context)
    if (flags.json) return printJson({ resumed })
    tell(
      resumed === 0
        ? 'The webhooks of this store are not paused.'
        : `Events are sent again to ${counted(resumed, 'webhook')}, from now on. Their missedAfter says from where to replay what happened before.`,
    )
  })
}
