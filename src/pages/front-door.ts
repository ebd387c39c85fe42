import { framePage, type Store } from './frame.ts'
import { guides } from './guides/guides.ts'
import { type Html, html } from './html.ts'

/** The page at `/`: where everything is. `baseUrl` is the base address as the client knows it. */
export function frontDoor(store: Store, baseUrl: string): Html {
  const shown = guides.filter(({ isFirst }) => isFirst)
  return framePage(
    { title: 'Pet store', store, root: './', styles: ['front-door.css'] },
    html`<div class="hero">
<img src="./assets/icon.svg" alt="" width="72" height="72">
<div>
<h1>Pet store</h1>
<p class="lead">The catalogue of a store, its stock and its orders.</p>
</div>
</div>
<div class="doors">
${
  store.hasConsole &&
  html`<section class="door card">
<h2><a href="./console/">Console</a></h2>
<p>Work in the store: pets, orders, stock and categories, with an API key.</p>
</section>
`
}<section class="door card">
<h2><a href="./docs">Reference</a></h2>
<p>Every operation of the interface, to read and to try, with samples for curl, TypeScript and Python.</p>
</section>
<section class="door card">
<h2><a href="./guides">Guides</a></h2>
<ul>
${shown.map(({ name, title }) => html`<li><a href="./guides/${name}">${title}</a></li>\n`)}</ul>
</section>
<section class="door card">
<h2>Health</h2>
<p><a href="./health/ready">Ready</a>: the process takes requests, and its database commits.<br>
<a href="./health/live">Live</a>: the process runs.</p>
</section>
</div>
<section class="base-address" aria-labelledby="base-address-title">
<h2 id="base-address-title">For programs</h2>
<p>The base address is <code>${baseUrl}</code>. Every operation below it takes an API key; <a href="./openapi.json">openapi.json</a> describes them all.</p>
<pre tabindex="0"><code>curl -H "Authorization: Bearer $key" "${baseUrl}/pets?status=available"</code></pre>
</section>`,
  )
}
