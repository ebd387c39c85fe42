import { maskKeys } from '../contract/key-text.ts'
import { framePage, type Store } from './frame.ts'
import { type Html, html } from './html.ts'

const shownMax = 120

/** The page for an address that leads nowhere. `message` is that of the error; `near` are paths that may have been meant. */
export function notFoundPage(
  store: Store,
  { path, near, requestId }: { path: string; near: readonly string[]; requestId: string },
): Html {
  // One step up for each folder of the path.
  const root = '../'.repeat(Math.max(path.split('/').length - 2, 0)) || './'
  const pages = near.filter((one) => !one.startsWith('/v1') && !one.includes('{'))
  const known = maskKeys(path)
  const shown = known.length > shownMax ? `${known.slice(0, shownMax)}…` : known
  return framePage(
    { title: 'Not found', store, root, styles: ['front-door.css'] },
    html`<div class="not-found">
<p class="status" aria-hidden="true">404</p>
<h1>There is nothing at this address</h1>
<p><code class="path">${shown}</code></p>
${near.length > 0 && html`<p>Did you mean ${near.map((one, index) => html`${index > 0 && ' or '}${pages.includes(one) ? html`<a href="${root}${one.slice(1)}">${one}</a>` : html`<code>${one}</code>`}`)}?</p>`}
<ul class="ways plain">
<li><a class="card" href="${root}">Home</a></li>
${store.hasConsole && html`<li><a class="card" href="${root}console/">Console</a></li>\n`}<li><a class="card" href="${root}docs">Reference</a></li>
<li><a class="card" href="${root}guides">Guides</a></li>
</ul>
<p class="request-id">Request ${requestId}. Programs get this answer as JSON.</p>
</div>`,
  )
}
