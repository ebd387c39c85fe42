import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { demoPhotoOf } from '../../src/admin/seed/demo-photos.ts'
import { type Petstore, startPetstore } from '../../src/start-petstore.ts'
import { isFull, itInFull } from '../harness/extent.ts'
import { call } from '../harness/petstore.ts'
import { until } from '../harness/until.ts'
import { repositoryRoot } from '../processes/process.ts'

const run = promisify(execFile)
const clientUrl = new URL('client/src/index.ts', `file://${repositoryRoot}`).href
/** Where webhooks are sent in vain. */
const receiverUrl = 'http://127.0.0.1:9'
/** A program takes less than a second on an idle machine. */
const timeoutMs = 200_000

type Sample = { operationId: string; language: string; text: string }

describe('samples of the reference', () => {
  let store: Awaited<ReturnType<typeof startPetstore>>
  let samples: Sample[]
  let folder: string

  before(async () => {
    store = await startPetstore({ seed: 100 })
    folder = await mkdtemp(join(tmpdir(), 'petstore-samples-'))
    for (const name of ['sunny.png', 'sunny.webp'])
      await writeFile(join(folder, name), demoPhotoOf('Cats'))
    const response = await fetch(new URL('/docs', store.baseUrl))
    samples = samplesIn(await response.text())
  })
  after(async () => {
    await store?.close()
    await rm(folder, { recursive: true, force: true })
  })

  itInFull('there is one in each language for each operation', async () => {
    const response = await fetch(new URL('/openapi.json', store.baseUrl))
    const { paths } = (await response.json()) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )

    const found = samples.map(({ operationId, language }) => `${operationId} ${language}`)

    const languages = ['curl', 'typescript', 'python']
    const expected = ids.flatMap((id) => languages.map((language) => `${id} ${language}`))
    // The client has no method for a file that is not JSON, and forms are what curl sends.
    const none = ['getSecurityText typescript', 'uploadPhoto typescript', 'uploadPhoto python']
    assert.deepEqual(found.sort(), expected.filter((sample) => !none.includes(sample)).sort())
  })

  it('2xx: what a reader copies for curl works as it is', () => tryAll('curl'))

  it('2xx: what a reader copies for TypeScript works as it is', () => tryAll('typescript'))

  itInFull(
    '2xx: what a reader copies for Python works as it is',
    { skip: hasPython() ? false : 'needs python3' },
    () => tryAll('python'),
  )

  async function tryAll(language: keyof typeof programs) {
    const all = samples.filter(
      // This store names no contact for vulnerabilities.
      (sample) => sample.language === language && sample.operationId !== 'getSecurityText',
    )
    const tried = isFull ? all : all.filter(({ operationId }) => operationId === 'createPet')
    assert.ok(tried.length > 0)
    for (const { operationId, text } of tried) {
      // Keys and webhooks survive a reset, and a reset store has no event 1.
      const isOwn = /Key|Webhook|Event|Deliver(?:y|ies)/.test(operationId)
      await using own = isOwn ? await startWithKeysAndWebhooks() : undefined
      if (!own) await store.reset('start')
      const { requests } = own ?? store
      const output = await runSample(language, text, own)
      const answers = (await requests({ operation: operationId })).slice(-1)
      assert.deepEqual(
        answers.map(({ status = 0 }) => Math.floor(status / 100)),
        [2],
        `${operationId}: ${output}`,
      )
      const isSilent = /^(?:delete|cancel|revoke|test|replay|getPhoto)/.test(operationId)
      assert.match(
        output,
        // A photo is written to a file; the client shows what it is.
        isSilent ? /^(?:204 |image\/png \d+)?\n?$/ : /[iI]d|status|openapi|created|\[\]/,
        operationId,
      )
    }
  }

  async function runSample(
    language: keyof typeof programs,
    text: string,
    { baseUrl, key } = store,
  ): Promise<string> {
    const { file, command } = programs[language]
    const path = join(folder, file)
    const own = text
      .replaceAll(store.baseUrl, baseUrl)
      .replace('https://accounting.example', receiverUrl)
    await writeFile(path, own.replace("'petstore-client'", JSON.stringify(clientUrl)))
    const env = { ...process.env, API_KEY: key }
    const { stdout } = await run(command, [path], { cwd: folder, env, timeout: timeoutMs })
    return stdout
  }
})

/** A store with the key of the samples, 4, and their webhooks, 1 to 4, of which the first has a delivery. */
async function startWithKeysAndWebhooks(): Promise<Petstore> {
  const store = await startPetstore({ seed: 100 })
  for (const name of ['a', 'b', 'c'])
    await call(store, '/keys', { method: 'POST', body: { name, scopes: ['pets:read'] } })
  for (let made = 0; made < 4; made++)
    await call(store, '/webhooks', { method: 'POST', body: { url: receiverUrl } })
  await call(store, '/webhooks/1/test', { method: 'POST' })
  await until(async () => {
    const deliveries = await call(store, '/webhooks/1/deliveries')
    return /"id"/.test(await deliveries.text())
  })
  return store
}

const programs = {
  curl: { file: 'sample.sh', command: 'sh' },
  typescript: { file: 'sample.mts', command: process.execPath },
  python: { file: 'sample.py', command: 'python3' },
} as const

function hasPython(): boolean {
  return spawnSync('python3', ['--version']).status === 0
}

/** The samples that a page shows, as a reader copies them. */
function samplesIn(html: string): Sample[] {
  return html
    .split('<details class="operation card" data-operation="')
    .slice(1)
    .flatMap((part) => {
      const operationId = part.slice(0, part.indexOf('"'))
      const found = part.matchAll(
        /<div class="sample copied" data-language="(\w+)"><pre[^>]*><code>(.*?)<\/code>/gs,
      )
      return [...found].map(([, language = '', text = '']) => ({
        operationId,
        language,
        text: decoded(text),
      }))
    })
}

function decoded(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
