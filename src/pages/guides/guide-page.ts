import { readFile } from 'node:fs/promises'
import { framePage, type Store } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { addressOf, type Guide, guideGroups } from './guides.ts'
import { renderMarkdown } from './markdown.ts'

const root = new URL('../../../', import.meta.url)

/** The list of the guides. */
export function guidesPage(store: Store): Html {
  return framePage(
    { title: 'Guides', store, root: './', current: 'guides', styles: ['guide.css'] },
    html`<h1>Guides</h1>
${guideGroups.map(groupOf)}`,
  )
}

function groupOf({ title, guides }: (typeof guideGroups)[number]): Html {
  return html`<h2>${title}</h2>
<dl class="guide-list">
${guides.map(({ name, title, about }) => html`<div class="card"><dt><a href="./guides/${name}">${title}</a></dt><dd>${about}</dd></div>\n`)}</dl>
`
}

/** The page of a guide, with its headings beside it. */
export async function guidePage(store: Store, guide: Guide): Promise<Html> {
  const text = await readFile(new URL(guide.path, root), 'utf8')
  const [title = '', rest = ''] = text.split(/\n([\s\S]*)/)
  const { content, headings } = renderMarkdown(rest, (target) => addressOf(target, guide.path))
  const sections = headings.filter(({ depth }) => depth === 2)
  return framePage(
    {
      title: guide.title,
      store,
      root: '../',
      current: 'guides',
      styles: ['guide.css'],
      scripts: ['guide.js'],
      isWide: true,
    },
    html`<div class="with-contents">
<h1>${title.replace(/^# /, '')}</h1>
<nav class="contents" aria-label="On this page">
<p class="contents-title">On this page</p>
<ul class="plain">
${sections.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`)}</ul>
</nav>
<article class="prose">
${content}
</article>
</div>`,
  )
}
