import { defineCommand, flag, type Group } from './define-command.ts'

const resumeWebhooks = defineCommand({
  description:
    'Sends events to webhooks again: those of a store that was restored, recovered or transferred are paused, so that a copy calls nobody. Beside a running service or without one.',
  examples: [['petstore webhooks resume', 'this store takes the place of the old one']],
  options: { json: flag('print one JSON object: how many webhooks were resumed') },
  load: async () => (await import('./webhooks.ts')).resumeWebhooksCommand,
})

export const webhooks: Group = {
  usage: 'COMMAND',
  description: 'Resumes the webhooks of a restored, recovered or transferred store.',
  examples: [],
  commands: { resume: resumeWebhooks },
}
