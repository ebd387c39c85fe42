import { defineCommand, flag, type Group, value, values } from './arguments/define-command.ts'
import { serviceOptions, whichService } from './operations/groups.ts'

const resumeWebhooks = defineCommand({
  description:
    'Sends events to the webhooks of the store itself again: those of a store that was restored or recovered are paused, so that a copy sends nothing. Beside a running service or without one.',
  examples: [['petstore webhooks resume', 'this store takes the place of the old one']],
  options: { json: flag('print one JSON object: how many webhooks were resumed') },
  load: async () => (await import('./store/webhooks.ts')).resumeWebhooksCommand,
})

const listen = defineCommand({
  usage: '--forward URL [OPTIONS]',
  description: `Sends the events of a service to a receiver under development, signed as its webhooks are, until Ctrl+C. The receiver needs no public address. Each event is sent once, in order; the secret is printed on standard error, unless a file has it. ${whichService}`,
  examples: [
    [
      'petstore webhooks listen --forward http://127.0.0.1:3000/hook',
      'the service of petstore login, from now on',
    ],
    [
      'petstore webhooks listen --forward http://127.0.0.1:3000/hook --secret-file hook.secret',
      'with the same secret each time',
    ],
    [
      'petstore webhooks listen --url https://staging.example/v1 --forward http://127.0.0.1:3000/hook',
      'another service; PETSTORE_KEY has the key',
    ],
  ],
  options: {
    forward: value('URL', 'where events are sent'),
    type: values('TYPE', 'only events of this type, such as pet.updated; repeat it for several'),
    after: value('ID', 'begin behind this event (default: with the next one)'),
    'secret-file': value('FILE', 'the secret; made with mode 0600 where there is no such file'),
    json: flag('print what became of each event as one line of JSON'),
    ...serviceOptions,
  },
  isStoreless: true,
  load: async () => (await import('./operations/listen.ts')).listenCommand,
})

export const webhooks: Group = {
  usage: 'COMMAND',
  description:
    'Creates, lists, changes and tests webhooks, over HTTP. petstore webhooks listen tries a receiver, also over HTTP; petstore webhooks resume is for a copied store itself.',
  examples: [],
  commands: { listen, resume: resumeWebhooks },
}
