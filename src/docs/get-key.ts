import type { Environment } from '../config/settings.ts'

/** Whose reference page it is. */
export type DocsOf = { environment: Environment; isInMemory: boolean }

const use =
  'Then press <strong>Authorize</strong>, paste it, and try any operation. The page forgets it when you leave.'

/** The part of the page that says where a key comes from, as HTML. */
export function getKeySection({ environment, isInMemory }: DocsOf): string {
  return isInMemory
    ? sectionOf(
        'Use the key of this store',
        `Every operation needs it. This store is in memory, so no command can add a key: its key was shown when it
          started, as <code>key</code> of the JSON line or of what <code>startPetstore()</code> returns.`,
      )
    : sectionOf(
        environment === 'staging' ? 'Get a key for staging' : 'Get a key',
        `Every operation needs one${environment === 'staging' ? '; those of production do not work here' : ''}. Run
          this where the service runs, with its settings; it shows the key once.`,
        `bin/petstore keys create${environment === 'staging' ? ' --environment staging' : ''} --name me`,
      )
}

function sectionOf(title: string, text: string, command?: string): string {
  const box =
    command === undefined
      ? ''
      : `
        <div class="command">
          <code id="get-key-command">${command}</code>
          <button type="button" id="copy-command" hidden>Copy</button>
        </div>`
  return `<section class="get-key" aria-labelledby="get-key-title">
        <h2 id="get-key-title">${title}</h2>
        <p>
          ${text} ${use}
        </p>${box}
      </section>`
}
