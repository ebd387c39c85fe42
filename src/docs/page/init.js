// The browser side of the reference page. SwaggerUIBundle comes from swagger-ui-bundle.js.

const documentUrl = new URL(document.querySelector('#document-link').href)
const serverUrl = new URL('v1', document.baseURI).href

followColorScheme()
const openapi = await fetchDocument()
if (openapi) showReference(openapi)

/** Swagger UI has a dark style sheet, but does not ask the system whether it is wanted. */
function followColorScheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', apply)
  apply()
}

async function fetchDocument() {
  try {
    const response = await fetch(documentUrl)
    if (!response.ok) throw new Error(`The server answered ${response.status}.`)
    return await response.json()
  } catch (error) {
    const notice = document.createElement('p')
    notice.className = 'notice'
    notice.setAttribute('role', 'alert')
    notice.textContent = `The API document could not be loaded. ${error.message}`
    document.querySelector('#reference').replaceWith(notice)
  }
}

function showReference(openapi) {
  const servers = (openapi.servers ?? []).map((server) => ({
    ...server,
    url: new URL(server.url, documentUrl).href.replace(/\/$/, ''),
  }))
  const thisServer = servers.find(({ url }) => url === serverUrl) ?? { url: serverUrl }

  showHeader(
    openapi.info,
    servers.filter((server) => server !== thisServer),
  )
  showCopyButton()
  showSwaggerUi({ ...forPeople(openapi), servers: [thisServer] })
}

/**
 * Without what is for tools: Swagger UI would send the example of every optional parameter, and give links a column as
 * wide as the answers.
 */
function forPeople(openapi) {
  const text = JSON.stringify(openapi, (name, value) => {
    if (name === 'links') return undefined
    const isOptional = typeof value?.in === 'string' && value.required === false
    return isOptional ? { ...value, example: undefined } : value
  })
  return JSON.parse(text)
}

function showHeader(info, otherServers) {
  document.title = `${info.title} ${info.version}: API reference`
  document.querySelector('#title').textContent = info.title

  const version = document.querySelector('#version')
  version.textContent = `v${info.version}`
  version.hidden = false

  const links = document.querySelector('#links')
  for (const { url, description } of otherServers) {
    const link = document.createElement('a')
    link.href = new URL('docs', url).href
    link.textContent = description ?? new URL(url).host
    links.append(link)
  }
}

function showCopyButton() {
  const button = document.querySelector('#copy-command')
  // A store in memory has no command for a key.
  if (!button || !navigator.clipboard) return
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.querySelector('#get-key-command').textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
}

function showSwaggerUi(spec) {
  window.SwaggerUIBundle({
    domNode: document.querySelector('#reference'),
    spec,
    deepLinking: true,
    displayOperationId: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    persistAuthorization: false,
    queryConfigEnabled: false,
    validatorUrl: null,
    syntaxHighlight: { theme: 'tomorrow-night' },
    plugins: [petStorePlugin],
  })
}

/**
 * Asks the server whether it takes a key, by a page of one pet. A key without the scope for it is answered with 403, so it
 * is one. Resolves to the server's sentence where the key is refused.
 */
async function findKeyProblem(key) {
  try {
    const response = await fetch(`${serverUrl}/pets?limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    })
    if (response.ok || response.status === 403) return undefined
    const { message } = await response.json()
    return message
  } catch (error) {
    return `It could not be checked. ${error.message}`
  }
}

/** Checks a key before Swagger UI takes it; where it is refused, the dialog says why. */
function authorizeChecked(authorize, { errActions }) {
  const authId = 'bearerAuth'
  return async ({ [authId]: credential }) => {
    const key = String(credential?.value ?? '')
      .trim()
      .replace(/^Bearer\s+/i, '')
    const message = key === '' ? 'Paste one first.' : await findKeyProblem(key)
    errActions.clear({ authId })
    if (message === undefined) authorize({ [authId]: { ...credential, value: key } })
    else errActions.newAuthErr({ authId, source: 'Key', level: 'refused:', message })
  }
}

function petStorePlugin({ React: { createElement: h, Fragment } }) {
  return {
    statePlugins: {
      auth: { wrapActions: { authorize: authorizeChecked } },
      spec: {
        wrapSelectors: {
          allowTryItOutFor:
            (_original, { specSelectors }) =>
            (_state, path, method) =>
              specSelectors.specJson().getIn(['paths', path, method, 'x-hideTryItPanel']) !== true,
        },
      },
    },
    components: {
      // The header of the page shows the rest.
      OAS31Info: ({ specSelectors, getComponent }) =>
        h(getComponent('Markdown', true), {
          source: specSelectors.info().get('description') ?? '',
        }),
    },
    wrapComponents: {
      ServersContainer:
        (_original, { specSelectors }) =>
        () =>
          server(specSelectors.servers().first()),
      OperationSummaryPath:
        (Original, { specSelectors }) =>
        (props) =>
          h(Fragment, null, h(Original, props), ...badges(findOperation(specSelectors, props))),
      parameters: (Original) => (props) =>
        h(Fragment, null, ...notices(props.operation), h(Original, props)),
      responseBody: (Original) => (props) =>
        isJson(props) ? h(ExactJson, props) : h(Original, props),
      // Swagger UI leaves its lists of values without a name that a screen reader could say.
      JsonSchema_string: (Original) => (props) => named(props.description, h(Original, props)),
      ExamplesSelect: (Original) => (props) => named('Example', h(Original, props)),
      authError: (Original) => (props) => h('div', { role: 'alert' }, h(Original, props)),
      CloseIcon: (Original) => (props) =>
        h(
          Fragment,
          null,
          h('span', { className: 'only-heard' }, 'Close'),
          h('span', { 'aria-hidden': true }, h(Original, props)),
        ),
      Input: (Original) => (props) =>
        h(Original, props.id === 'auth-bearer-value' ? { ...props, ...secretInput } : props),
    },
  }

  function named(name, input) {
    return h('label', null, h('span', { className: 'only-heard' }, name), input)
  }

  // There is one server to choose from, and the Content-Security-Policy allows no other.
  function server(server) {
    const description = server.get('description')
    return h(
      'p',
      { className: 'server' },
      'Requests go to ',
      h('code', null, server.get('url')),
      description && ` (${lowerFirst(description)})`,
    )
  }

  // The operation in the props is empty until somebody opens it.
  function findOperation(specSelectors, { operationProps }) {
    const { path, method } = operationProps.toObject()
    return specSelectors.specJson().getIn(['paths', path, method])
  }

  function badges(operation) {
    const stability = operation.get('x-stability')
    const removal = removalDate(operation)
    return [
      stability && h('span', { className: `tag tag-${stability}` }, stability),
      operation.get('deprecated') &&
        h(
          'span',
          { className: 'tag tag-deprecated' },
          removal ? `removal: ${removal}` : 'deprecated',
        ),
    ]
  }

  function notices(operation) {
    const removal = removalDate(operation)
    return [
      operation.get('deprecated') &&
        h(
          'p',
          { className: 'notice' },
          removal
            ? `Deprecated: this operation is removed on ${removal}.`
            : 'Deprecated: this operation will be removed.',
        ),
      operation.get('x-hideTryItPanel') === true &&
        h('p', { className: 'notice' }, 'This operation cannot be tried from this page.'),
    ]
  }

  // Swagger UI formats JSON through doubles, which changes large integers (its issue 2030).
  function ExactJson({ content, getComponent }) {
    const HighlightCode = getComponent('HighlightCode', true)
    return h(
      'div',
      null,
      h('h5', null, 'Response body'),
      h(
        HighlightCode,
        { language: 'json', downloadable: true, canCopy: true, fileName: 'response.json' },
        indentJson(content),
      ),
    )
  }
}

const secretInput = { type: 'password', autoComplete: 'off', 'aria-label': 'API key' }

function isJson({ content, contentType }) {
  return typeof content === 'string' && /\bjson\b/i.test(contentType ?? '')
}

/** Indents without changing a digit. What cannot be parsed, or not exactly, comes back as it is. */
function indentJson(text) {
  if (!JSON.rawJSON) return text
  try {
    const value = JSON.parse(text, (_key, value, { source }) =>
      typeof value === 'number' ? JSON.rawJSON(source) : value,
    )
    return JSON.stringify(value, null, 2)
  } catch {
    return text
  }
}

/** A date as people write it, from `2030-12-05`. */
function removalDate(operation) {
  const date = operation.get('x-sunset') ?? operation.get('x-deprecated-sunset')
  if (!date) return undefined
  return new Date(date).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
}

function lowerFirst(text) {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
