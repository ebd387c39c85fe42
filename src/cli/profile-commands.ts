import { defineCommand, flag, value } from './arguments/define-command.ts'

export const login = defineCommand({
  description:
    'Keeps the address and the key of a service for the commands over HTTP. Asks for the key without showing it, or reads it from standard input, and tries it. The file profiles.json of your configuration folder, such as ~/.config/petstore, is readable by you alone.',
  examples: [
    ['petstore login', 'the service on this machine'],
    ['petstore login --url https://staging.example/v1 --profile staging', 'one elsewhere'],
  ],
  options: {
    url: value('URL', 'the base address of the service (default: PETSTORE_URL, or this machine)'),
    profile: value('NAME', 'the name of the profile (default: default)'),
  },
  isStoreless: true,
  load: async () => (await import('./operations/login.ts')).loginCommand,
})

export const profiles = defineCommand({
  description:
    'Lists the services of petstore login, without their keys. The commands over HTTP use the one that is marked, unless the command line or PETSTORE_URL names another.',
  examples: [
    ['petstore profiles', 'a table'],
    ['petstore profiles --use staging', 'use another from now on'],
  ],
  options: {
    use: value('NAME', 'use this profile from now on'),
    json: flag('print a JSON array'),
  },
  isStoreless: true,
  load: async () => (await import('./operations/login.ts')).profilesCommand,
})

export const logout = defineCommand({
  description: 'Forgets the address and the key of a petstore login. The key stays valid.',
  examples: [['petstore logout --profile staging', 'forget one']],
  options: { profile: value('NAME', 'the name of the profile (default: the one in use)') },
  isStoreless: true,
  load: async () => (await import('./operations/login.ts')).logoutCommand,
})

export const completion = defineCommand({
  description:
    'Prints what lets a shell complete commands, options, ids and profiles: bash, zsh or fish.',
  examples: [
    ['petstore completion bash', 'in ~/.bashrc: source <(petstore completion bash)'],
    ['petstore completion zsh', 'in ~/.zshrc: source <(petstore completion zsh)'],
    ['petstore completion fish', 'in config.fish: petstore completion fish | source'],
  ],
  argument: 'SHELL',
  options: {},
  isStoreless: true,
  load: async () => (await import('./completion.ts')).completionCommand,
})
