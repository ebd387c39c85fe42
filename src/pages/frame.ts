import type { Environment } from '../config/settings.ts'
import { versionOf } from '../version.ts'
import { type Html, html } from './html.ts'

/** The store whose pages these are. */
export type Store = {
  environment: Environment
  isInMemory: boolean
  /** Whether `/console/` answers. */
  hasConsole: boolean
}

const version = versionOf()

type Frame = {
  title: string
  store: Store
  /** The relative address of `/`, which survives a proxy that adds a path prefix. */
  root: string
  current?: 'reference' | 'guides'
  /** Of `/assets/`, besides those of every page. */
  styles?: readonly string[]
  /** They run before the first paint, so that what they open moves nothing that is already read. */
  scripts?: readonly string[]
  /** Whether the page has a column beside its text. */
  isWide?: boolean
}

/** A page with the header and the footer of all pages. */
export function framePage(
  { title, store, root, current, styles = [], scripts = [], isWide = false }: Frame,
  content: Html,
): Html {
  const asset = (name: string) => `${root}assets/${name}`
  const mark = (name: Frame['current']) =>
    current === name ? html` aria-current="page"` : undefined
  return html`<!doctype html>
<html lang="en" data-environment="${store.environment}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${store.environment === 'staging' && 'Staging: '}${title}</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
${['tokens.css', 'frame.css', ...styles].map(
  (name) => html`<link rel="stylesheet" href="${asset(name)}">\n`,
)}${scripts.map((name) => html`<script src="${asset(name)}" type="module" blocking="render"></script>\n`)}</head>
<body>
<a class="skip-link" href="#content">Skip to the content</a>
${environmentBar(store)}
<header class="site-header">
<div class="site-header-inner">
<a class="wordmark" href="${root}"><img src="${asset('icon.svg')}" alt="" width="28" height="28">Pet store</a>
<nav aria-label="Pages">
${store.hasConsole && html`<a href="${root}console/">Console</a>\n`}<a href="${root}docs"${mark('reference')}>Reference</a>
<a href="${root}guides"${mark('guides')}>Guides</a>
</nav>
</div>
</header>
<main id="content"${isWide && html` class="is-wide"`}>
${content}
</main>
<footer class="site-footer">
<p>Pet store ${version} · <span class="environment-name">${store.environment}</span>${store.isInMemory && ', in memory'} · interface <a href="${root}openapi.json">v1</a></p>
</footer>
</body>
</html>
`
}

/** What must not be mistaken for production says so at the top of every page. */
function environmentBar({ environment, isInMemory }: Store): Html | undefined {
  if (environment === 'production' && !isInMemory) return undefined
  const name = environment === 'staging' ? 'Staging' : 'Production, in memory'
  const meaning = isInMemory
    ? 'a store for tests. It forgets everything when it stops.'
    : 'its own data and its own keys. Nothing here is sold.'
  return html`<aside class="environment-bar" aria-label="Environment"><strong>${name}</strong>: ${meaning}</aside>`
}
