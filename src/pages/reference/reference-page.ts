import { type ErrorCode, errorCodes } from '../../contract/error-codes.ts'
import type { Operation } from '../../contract/operation.ts'
import { framePage, type Store } from '../frame.ts'
import { addressOf } from '../guides/guides.ts'
import { renderMarkdown } from '../guides/markdown.ts'
import { type Html, html } from '../html.ts'
import { type ErrorTexts, readErrorTexts } from './error-texts.ts'
import { keySection } from './get-key.ts'
import { type Described, type Reference, readReference } from './model.ts'
import { operationSection, type Shown } from './operation.ts'
import { describeType, inline, membersOf } from './types.ts'

/**
 * The page at `/docs`: the OpenAPI document as HTML. It can be read without its script, which sends requests to the
 * server that served it.
 */
export async function referencePage(
  store: Store,
  document: Record<string, unknown>,
  operations: readonly Operation[],
): Promise<Html> {
  const reference = readReference(document, operations)
  const errorTexts = await readErrorTexts()
  const baseUrl = reference.servers[0]?.url ?? ''
  const shown = { reference, errorTexts, commonErrors: commonErrorsOf(reference), baseUrl }
  return framePage(
    {
      title: 'Reference',
      store,
      root: './',
      current: 'reference',
      styles: ['reference.css'],
      scripts: ['reference.js'],
      isWide: true,
    },
    html`<div class="reference">
${navigation(reference)}
<div class="reference-text">
${introduction(reference, store)}
${reference.tags.map((tag) => tagSection(tag, shown))}
${eventTypesSection(reference)}
${errorsSection(shown)}
${schemasSection(reference)}
</div>
</div>`,
  )
}

/** The codes that all operations with a key have. */
function commonErrorsOf({ operations }: Reference): ReadonlySet<ErrorCode> {
  const [first, ...others] = operations.filter(({ isOpen }) => !isOpen)
  return new Set(first?.errors.filter((code) => others.every((one) => one.errors.includes(code))))
}

function navigation({ tags, operations, eventTypes, schemas }: Reference): Html {
  const entry = (href: string, text: Html, words: string) =>
    html`<li data-words="${words.toLowerCase()}"><a href="#${href}">${text}</a></li>\n`
  return html`<nav class="side" aria-label="Operations">
<div class="search try"><label class="only-heard" for="search">Search the reference</label><input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false"></div>
<p class="no-match" id="no-match" role="status" hidden></p>
<div class="side-groups">
${tags.map(
  (
    tag,
  ) => html`<div class="side-group"><p class="side-title">${tag['x-displayName']}</p><ul class="plain">
${ofTag(operations, tag).map(({ operation: { operationId, method, path, summary } }) =>
  entry(
    operationId,
    html`<span class="method method-${method.toLowerCase()}">${method}</span> <span>${summary}</span>`,
    `${operationId} ${method} ${path} ${summary}`,
  ),
)}</ul></div>\n`,
)}<div class="side-group is-found-only"><p class="side-title"><a href="#errors">Errors</a></p><ul class="plain">
${Object.entries(errorCodes).map(([code, { status, title }]) => entry(`error-${code}`, html`<span class="status">${status}</span> <span>${code}</span>`, `${code} ${status} ${title}`))}</ul></div>
<div class="side-group is-found-only"><p class="side-title"><a href="#event-types">Event types</a></p><ul class="plain">
${eventTypes.map(({ type, description }) => entry(`event-${type}`, html`<span>${type}</span>`, `${type} ${description}`))}</ul></div>
<div class="side-group is-found-only"><p class="side-title"><a href="#schemas">Schemas</a></p><ul class="plain">
${Object.keys(schemas).map((name) => entry(`schema-${name}`, html`<span>${name}</span>`, name))}</ul></div>
</div>
</nav>`
}

function ofTag(operations: readonly Described[], { name }: { name: string }) {
  return operations.filter(({ operation }) => operation.tag.name === name)
}

function introduction({ title, version, description, servers }: Reference, store: Store): Html {
  const [own, ...others] = servers
  return html`<header class="reference-header">
<h1>${title} <span class="tag">v${version}</span></h1>
<p class="server">Requests go to <code class="base-url">${own?.url}</code> (<span class="environment-name">${store.environment}</span>).
<a href="./openapi.json">openapi.json</a>${others.map(({ url, description }) => html` · <a href="${url.replace(/\/v1$/, '')}/docs">Reference of ${description.split(':')[0]?.toLowerCase()}</a>`)}</p>
</header>
${keySection(store)}
<div class="prose">${description.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>\n`)}<p>The guide <a href="./guides/stability">Stability</a> says what each of them promises.</p></div>`
}

function tagSection(tag: Reference['tags'][number], shown: Shown): Html {
  const { name, description } = tag
  return html`<section class="part tag-section" aria-labelledby="tag-${name}">
<h2 id="tag-${name}">${tag['x-displayName']}</h2>
<p>${inline(description)}</p>
${ofTag(shown.reference.operations, tag).map((one) => operationSection(one, shown))}</section>
`
}

/** What `GET /events` shows and webhooks send, with an example of each. */
function eventTypesSection({ eventTypes, schemas }: Reference): Html {
  return html`<section class="part" id="event-types" aria-labelledby="event-types-title">
<h2 id="event-types-title">Event types</h2>
<p>The log of events has these, and a webhook sends each as the body of a request.</p>
${eventTypes.map(
  ({
    type,
    schema,
    description,
    example,
  }) => html`<details class="error card"><summary><code>${type}</code><span class="error-title">${inline(description)}</span></summary>
<div class="error-body" id="event-${type}"><p>${describeType(schema, schemas)}</p>
<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre></div>
</details>
`,
)}</section>
`
}

/** Every error, once. Operations name the ones they have, with a message of their own. */
function errorsSection({ errorTexts, commonErrors }: Shown): Html {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  const isCommon = (code: ErrorCode) => commonErrors.has(code)
  return html`<section class="part" id="errors" aria-labelledby="errors-title">
<h2 id="errors-title">Errors</h2>
<p>An error has a <code>code</code> for programs, a <code>message</code> for people and the HTTP <code>status</code>. With <code>Accept: application/problem+json</code> it is sent as problem details (RFC 9457). <a href="./guides/errors">The guide</a> says in which order a request is checked.</p>
<h3>Of every operation</h3>
${codes.filter(isCommon).map((code) => errorSection(code, errorTexts))}
<h3>Of some operations</h3>
${codes.filter((code) => !isCommon(code)).map((code) => errorSection(code, errorTexts))}</section>
`
}

function errorSection(code: ErrorCode, texts: ErrorTexts): Html {
  const { about = '', message = '' } = texts.get(code) ?? {}
  const linkTo = (target: string) => addressOf(target, 'docs/errors.md', './guides/')
  return html`<details class="error card"><summary><span class="status">${errorCodes[code].status}</span><code>${code}</code><span class="error-title">${errorCodes[code].title}</span></summary>
<div class="error-body" id="error-${code}">${renderMarkdown(about, linkTo).content}
<p class="message">${message}</p></div>
</details>
`
}

function schemasSection({ schemas }: Reference): Html {
  return html`<section class="part" id="schemas" aria-labelledby="schemas-title">
<h2 id="schemas-title">Schemas</h2>
${Object.entries(schemas).map(
  ([name, schema]) => html`<details class="schema card"><summary><code>${name}</code></summary>
<div class="schema-body" id="schema-${name}">${schema.description && html`<p>${inline(schema.description)}</p>`}${membersOf(schema, schemas)}</div>
</details>
`,
)}</section>`
}
