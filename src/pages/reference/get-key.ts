import type { Environment } from '../../config/settings.ts'
import { type Html, html } from '../html.ts'

/** The part of the page that says where a key comes from, and takes one. */
export function keySection(store: { environment: Environment; isInMemory: boolean }): Html {
  const { title, text, command } = wordsFor(store)
  return html`<section class="key-section card" id="key" aria-labelledby="key-title">
<div>
<h2 id="key-title">${title}</h2>
<p>${text}</p>
${command !== undefined && html`<div class="copied"><pre class="command"><code>${command}</code></pre></div>`}
</div>
<form class="key-form try" id="key-form" autocomplete="off">
<label for="key-input">API key</label>
<div class="key-line"><input id="key-input" type="password" autocomplete="off" spellcheck="false" required aria-describedby="key-state">
<button type="submit">Use this key</button>
<button type="button" id="forget-key" hidden>Forget it</button></div>
<p id="key-state" class="key-state" role="status">The page forgets it when you leave.</p>
</form>
</section>`
}

function wordsFor({ environment, isInMemory }: { environment: Environment; isInMemory: boolean }) {
  if (isInMemory) {
    return {
      title: 'Use the key of this store',
      text: html`Every operation but those of the service needs it. This store is in memory, so no command can add a key: its key was shown when it started, as <code>key</code> of the JSON line or of what <code>startPetstore()</code> returns.`,
    }
  }
  const isStaging = environment === 'staging'
  return {
    title: isStaging ? 'Get a key for staging' : 'Get a key',
    text: html`Every operation but those of the service needs one${isStaging && '; those of production do not work here'}. Run this where the service runs, with its settings; it shows the key once.`,
    command: `bin/petstore keys create${isStaging ? ' --environment staging' : ''} --name me`,
  }
}
