import { type ErrorCode, errorCodes } from '../../contract/error-codes.ts'
import { contentOf } from '../../contract/operation.ts'
import { type Html, html } from '../html.ts'
import { type ErrorTexts, messageOf } from './error-texts.ts'
import type { Described, Parameter, Reference, Response } from './model.ts'
import { samplesOf } from './samples.ts'
import { describeType, inline, membersOf, requiredMark, resolve } from './types.ts'

/** What every operation is shown with. */
export type Shown = {
  reference: Reference
  errorTexts: ErrorTexts
  /** The codes that every operation with a key can have. */
  commonErrors: ReadonlySet<ErrorCode>
  baseUrl: string
}

/** An operation: one line while it is closed. */
export function operationSection(described: Described, shown: Shown): Html {
  const { operation, isOpen, responses } = described
  const { operationId: id, method, path, summary, lifecycle, scope } = operation
  return html`<details class="operation card" data-operation="${id}" data-method="${method}" data-path="${path}">
<summary><h3><span class="method method-${method.toLowerCase()}">${method}</span><code class="operation-path${lifecycle.deprecation && ' is-deprecated'}">${path}</code><span class="operation-summary">${summary}</span>${marksOf(lifecycle)}<span class="operation-id">${id}</span></h3></summary>
<div class="operation-body" id="${id}">
<div class="operation-text"><p>${inline(described.description)}</p>
${noticesOf(lifecycle)}${!isOpen && html`<p class="scope">The key needs the scope <code>${scope}</code>.</p>\n`}</div>
<div class="operation-request">
${isTried(lifecycle) ? tryForm(described, shown) : parametersOf(described, shown)}
</div>
<div class="operation-answer">
${samples(described, shown)}
${responses.map((response) => responseSection(response, shown))}
${errorsOf(described, shown)}
</div>
</div>
</details>
`
}

type Lifecycle = Described['operation']['lifecycle']

function isTried({ tryItPanel }: Lifecycle): boolean {
  return tryItPanel !== false
}

function marksOf({ stability, deprecation }: Lifecycle): Html {
  return html`${stability === 'beta' && html`<span class="tag tag-beta">beta</span>`}${deprecation && html`<span class="tag tag-deprecated">removal: ${asDate(deprecation.removedAt)}</span>`}`
}

function noticesOf(lifecycle: Lifecycle): Html {
  const { deprecation } = lifecycle
  return html`${deprecation && html`<p class="notice">Deprecated: this operation is removed on ${asDate(deprecation.removedAt)}.</p>\n`}${!isTried(lifecycle) && html`<p class="notice">This operation cannot be tried from this page.</p>\n`}`
}

/** A date as people write it. */
function asDate(instant: string): string {
  return new Date(instant).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
}

function tryForm(described: Described, shown: Shown): Html {
  const { body, isOpen } = described
  const id = described.operation.operationId
  return html`<form autocomplete="off">
${parametersOf(described, shown)}
${body && bodyField(described, shown)}<div class="send try"><button type="submit" class="is-primary">Send</button>
${!isOpen && html`<a class="key-hint" href="#key">No key yet: enter one first</a>`}</div>
<div class="result try" id="${id}-result" role="group" aria-label="Response" hidden></div>
</form>`
}

function parametersOf(described: Described, shown: Shown): Html | undefined {
  const { parameters } = described
  const own = parameters.filter((parameter) => parameter.in !== 'header')
  const headers = parameters.filter((parameter) => parameter.in === 'header')
  const list = (some: Parameter[]) =>
    some.map((parameter) => parameterRow(parameter, described, shown))
  return html`${own.length > 0 && html`<h4>Parameters</h4>\n<div class="parameters">${list(own)}</div>\n`}${
    headers.length > 0 &&
    html`<details class="more"><summary>Request headers: ${headers.map(({ name }) => name).join(', ')}</summary>
<div class="parameters">${list(headers)}</div></details>`
  }`
}

function parameterRow(
  parameter: Parameter,
  { operation }: Described,
  { reference: { schemas } }: Shown,
): Html {
  const { name, required, description, schema } = parameter
  const field = `${operation.operationId}-${name}`
  const isField = isTried(operation.lifecycle)
  const label = html`<code>${name}</code>${required && requiredMark}`
  return html`<div class="parameter">
<div><div class="parameter-name">${isField ? html`<label for="${field}">${label}</label>` : label} <span class="type">${describeType(schema, schemas)}</span></div>
<p>${inline(description)}</p></div>
${isField && html`<div class="parameter-field try">${fieldOf(parameter, field, schemas)}</div>`}
</div>
`
}

/** A field is empty, and an empty one is not sent. */
function fieldOf(parameter: Parameter, field: string, schemas: Reference['schemas']): Html {
  const { name, required, schema, example } = parameter
  const place = html`id="${field}" name="${name}" data-in="${parameter.in}"${required && html` required`}`
  const { enum: values } = resolve(schema, schemas)
  if (values) {
    return html`<select ${place}><option value="">${schema.default === undefined ? 'any' : `default: ${schema.default}`}</option>${values.map((value) => html`<option>${String(value)}</option>`)}</select>`
  }
  const isList = schema.type === 'array'
  const shown = [example].flat().join(', ')
  return html`<input ${place}${isList && html` data-list`} placeholder="${shown}" spellcheck="false">`
}

function bodyField(
  { operation: { operationId: id, body: own }, body }: Described,
  { reference: { schemas } }: Shown,
): Html | undefined {
  const content = own && contentOf(own)
  if (body && content?.isUpload) {
    const { part, mediaTypes } = content
    return html`<h4><label for="${id}-body">File</label></h4>
<input class="try" type="file" id="${id}-body" name="body" accept="${(part ?? { mediaTypes }).mediaTypes.join(', ')}"${part && html` data-part="${part.name}"`} required>
<p class="fine">${inline(body.description)}</p>
`
  }
  if (!body?.schema) return undefined
  const text = JSON.stringify(body.example, null, 2)
  const lineCount = text.split('\n').length
  return html`<h4><label for="${id}-body">Body</label></h4>
<textarea class="try" id="${id}-body" name="body" rows="${Math.max(lineCount, 3)}" spellcheck="false">${text}</textarea>
${membersOf(body.schema, schemas)}<p class="fine">${inline(body.description)}</p>
`
}

function samples(described: Described, { baseUrl }: Shown): Html {
  const all = samplesOf(described, baseUrl)
  const id = described.operation.operationId
  return html`<fieldset class="samples">
<legend class="only-heard">Sample of ${id}</legend>
<div class="languages">${all.map(({ language, label }, index) => html`<label><input type="radio" name="language-${id}" value="${language}"${index === 0 && html` checked`}>${label}</label>`)}</div>
${all.map(({ language, text }) => html`<div class="sample copied" data-language="${language}"><pre tabindex="0"><code>${withBase(text, baseUrl)}</code></pre></div>`)}
</fieldset>
`
}

/** The script puts the address by which the page was reached in place of the base address. */
function withBase(text: string, baseUrl: string): Html {
  const parts = text.split(baseUrl)
  return html`${parts.map((part, index) => html`${index > 0 && html`<span class="base-url">${baseUrl}</span>`}${part}`)}`
}

function responseSection(response: Response, { reference: { schemas } }: Shown): Html {
  const { status, description, schema, example, headers } = response
  if (status >= 300) {
    return html`<p class="fine"><span class="status">${status}</span> ${description}</p>\n`
  }
  const members = schema && membersOf(schema, schemas)
  return html`<section class="response">
<h4><span class="status status-good">${status}</span> ${description}</h4>
${
  schema !== undefined &&
  html`<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>
<details class="more"><summary>Members</summary>${members}</details>
`
}<details class="more"><summary>Headers: ${Object.keys(headers).length}</summary><dl class="members">
${Object.entries(headers).map(([name, header]) => html`<div><dt><code>${name}</code></dt><dd>${inline(header.description)}</dd></div>\n`)}</dl></details>
</section>
`
}

function errorsOf(described: Described, { errorTexts, commonErrors }: Shown): Html {
  const own = described.errors.filter(
    // Its parameters are its own, so what is said of them is too.
    (code) => described.isOpen || !commonErrors.has(code) || code === 'invalid_parameter',
  )
  const statuses = [...new Set(own.map((code) => errorCodes[code].status))]
  return html`<details class="more errors"><summary>${own.length === 0 ? 'Errors' : html`Errors of its own: ${statuses.join(', ')}`}</summary>
${
  own.length > 0 &&
  html`<dl class="error-list">
${own.map((code) => html`<div><dt><span class="status">${errorCodes[code].status}</span> <a href="#error-${code}">${code}</a></dt><dd>${messageOf(described.operation, code, errorTexts)}</dd></div>\n`)}</dl>
`
}${!described.isOpen && html`<p class="fine">And <a href="#errors">those of every operation</a>.</p>`}
</details>`
}
