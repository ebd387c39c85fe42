// The browser side of the reference: the key, the requests that are tried, the search, the samples.
import { addCopyButton, addCopyButtons } from './copy.js'

const base = new URL('v1', document.baseURI).href
const all = (selector, root = document) => [...root.querySelectorAll(selector)]
const byId = (id) => document.getElementById(id)

/** A new element with these properties and children. A text is a text, whatever is in it. */
function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children.filter((child) => child !== undefined))
  return element
}

for (const element of all('.base-url')) element.textContent = base

// The key. It is nowhere but here, so that it is forgotten with the page.

let key
const keyState = byId('key-state')

byId('key-form').addEventListener('submit', async (event) => {
  event.preventDefault()
  const input = byId('key-input')
  const entered = input.value.trim().replace(/^Bearer\s+/i, '')
  showKeyState('Asking the service …')
  const { problem, scopes } = await checkKey(entered)
  if (problem !== undefined) {
    takeKey(undefined)
    showKeyState(problem, 'is-refused')
    return
  }
  takeKey(entered)
  input.value = ''
  showKeyState(`The key is in use. ${describeScopes(scopes)}`, 'is-taken')
})

byId('forget-key').addEventListener('click', () => {
  takeKey(undefined)
  showKeyState('The key is forgotten.')
  byId('key-input').focus()
})

function takeKey(taken) {
  key = taken
  byId('forget-key').hidden = key === undefined
  for (const hint of all('.key-hint')) hint.hidden = key !== undefined
}

function showKeyState(text, kind = '') {
  keyState.className = `key-state ${kind}`
  keyState.setAttribute('role', kind === 'is-refused' ? 'alert' : 'status')
  keyState.textContent = text
}

function describeScopes(scopes) {
  return scopes ? `It may do: ${scopes.replaceAll(' ', ', ')}.` : ''
}

/** Asks for a page of one pet. A key without the scope for it is answered with 403, so it is a key. */
async function checkKey(entered) {
  try {
    const response = await fetch(`${base}/pets?limit=1`, {
      headers: { authorization: `Bearer ${entered}`, prefer: 'scopes' },
    })
    if (response.ok || response.status === 403) {
      return { scopes: response.headers.get('petstore-scopes') }
    }
    return { problem: (await response.json()).message }
  } catch (error) {
    return { problem: `It could not be checked. ${error.message}` }
  }
}

// Requests

for (const form of all('.operation form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send(form)
  })
}

async function send(form) {
  const operation = form.closest('.operation')
  const result = form.querySelector('.result')
  const button = form.querySelector('.send button')
  const { url, init } = requestOf(form, operation.dataset)
  button.disabled = true
  const startMs = performance.now()
  try {
    const response = await fetch(url, init)
    const isPicture = response.headers.get('content-type')?.startsWith('image/')
    const file = isPicture ? await response.blob() : undefined
    const text = file ? '' : await response.text()
    showResponse(result, { url, init, response, text, file, ms: performance.now() - startMs })
  } catch (error) {
    const told = make('p', { role: 'alert' }, `No answer came. ${error.message}`)
    result.replaceChildren(sentLine(url, init), told)
  }
  result.hidden = false
  button.disabled = false
}

/** The request of a form. A field that is empty is not sent. */
function requestOf(form, { method, path }) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const query = new URLSearchParams()
  let target = path
  for (const field of all('[data-in]', form)) {
    const { name, value, dataset } = field
    if (value === '') continue
    const values = 'list' in dataset ? value.split(/[\s,]+/).filter(Boolean) : [value]
    if (dataset.in === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value))
    else if (dataset.in === 'header') headers[name] = value
    else for (const one of values) query.append(name, one)
  }
  const body = bodyOf(form.elements.namedItem('body'))
  // Of a file and of a form the browser says what it is.
  if (typeof body === 'string') headers['content-type'] = 'application/json'
  const search = query.size > 0 ? `?${query}` : ''
  return { url: `${base}${target}${search}`, init: { method, headers, body, cache: 'no-store' } }
}

/** The body in a field: its text, or its file, which may be the part of a form. */
function bodyOf(field) {
  if (field?.type !== 'file') return field?.value
  const [file] = field.files
  if (!field.dataset.part) return file
  const form = new FormData()
  form.append(field.dataset.part, file)
  return form
}

function sentLine(url, { method }) {
  return make('p', { className: 'sent' }, `${method} ${url}`)
}

function showResponse(result, { url, init, response, text, file, ms }) {
  const isGood = response.status < 400
  const status = make(
    'span',
    { className: `status ${isGood ? 'status-good' : 'status-bad'}` },
    `${response.status}`,
  )
  const sizeBytes = file?.size ?? new TextEncoder().encode(text).length
  const size = `${sizeBytes.toLocaleString()} bytes`
  const requestId = response.headers.get('x-request-id')
  const line = make(
    'p',
    { className: 'answered', role: 'status' },
    status,
    ` ${response.statusText} · ${Math.round(ms).toLocaleString()} ms · ${size}`,
    ...(requestId === null ? [] : [' · request ', make('code', {}, requestId)]),
  )
  const shown = [sentLine(url, init), line]
  if (text !== '') {
    const body = make('pre', { tabIndex: 0 }, indented(text))
    const box = make('div', { className: 'copied' }, body)
    addCopyButton(box, () => text)
    shown.push(box)
  }
  if (file) {
    const picture = make('img', { className: 'returned', alt: 'The picture of the response' })
    picture.onload = () => URL.revokeObjectURL(picture.src)
    picture.src = URL.createObjectURL(file)
    shown.push(picture)
  }
  result.replaceChildren(...shown, headersOf(response))
}

/** JSON in lines, numbers digit for digit. Another text, and one in a browser that cannot keep the digits, stays as it is. */
function indented(text) {
  const exact = (_name, value, { source }) =>
    typeof value === 'number' ? JSON.rawJSON(source) : value
  try {
    return JSON.stringify(JSON.parse(text, exact), null, 2)
  } catch {
    return text
  }
}

function headersOf({ headers }) {
  const rows = [...headers].map(([name, value]) =>
    make('div', {}, make('dt', {}, make('code', {}, name)), make('dd', {}, value)),
  )
  return make(
    'details',
    { className: 'more' },
    make('summary', {}, `Response headers: ${rows.length}`),
    make('dl', { className: 'members' }, ...rows),
  )
}

// Samples, and what can be copied

addEventListener('change', ({ target }) => {
  if (!target.name?.startsWith('language-')) return
  for (const other of all(`.samples input[value="${target.value}"]`)) other.checked = true
})

addCopyButtons('.sample')

// Search

const search = byId('search')
const side = document.querySelector('.side')

search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  side.classList.toggle('is-searching', words.length > 0)
  for (const entry of all('li', side)) {
    entry.hidden = !words.every((word) => entry.dataset.words.includes(word))
  }
  for (const group of all('.side-group', side)) {
    group.hidden = words.length > 0 && group.querySelector('li:not([hidden])') === null
  }
  const hasMatch = side.querySelector('li:not([hidden])') !== null
  byId('no-match').hidden = hasMatch
  byId('no-match').textContent = hasMatch ? '' : `Nothing is called ${search.value.trim()}.`
})

search.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') side.querySelector('li:not([hidden]) a')?.click()
})

// Addresses such as #createPet open what they name.

function openTarget() {
  // The addresses of former versions: #/animals/createPet.
  const id = decodeURIComponent(location.hash).replace(/^#(?:\/[^/]+\/)?/, '')
  const target = id === '' ? null : byId(id)
  for (const link of all('.side a[aria-current]')) link.removeAttribute('aria-current')
  for (const link of all('.side a')) {
    if (link.hash === `#${id}`) link.setAttribute('aria-current', 'true')
  }
  const box = target?.closest('details:has(> summary)')
  if (!box || box.contains(document.activeElement)) return
  box.open = true
  box.scrollIntoView()
  box.querySelector('summary').focus({ preventScroll: true })
}

addEventListener('hashchange', openTarget)
openTarget()

for (const operation of all('.operation')) {
  operation.addEventListener('toggle', () => {
    if (operation.open) history.replaceState(null, '', `#${operation.dataset.operation}`)
  })
}
