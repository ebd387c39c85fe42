import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { startPetstore } from '../../src/start-petstore.ts'
import {
  bodyOf,
  enterKey,
  expectReadable,
  type OpenPage,
  openOperation,
  openPage,
  operationOn,
  preferColorScheme,
  send,
  textOf,
  useKey,
} from '../harness/docs-page.ts'
import { describeInFull, itInFull } from '../harness/extent.ts'
import { sharedBrowser } from '../harness/shared-browser.ts'

const int64Max = '9223372036854775807'
const hostileName = '<img src=x onerror=alert(1)></script>\u202egnirts'

describe('the reference page', () => {
  let petstore: Awaited<ReturnType<typeof startPetstore>>
  let browser: Browser
  let origin: string
  let operationIds: string[]

  before(async () => {
    petstore = await startPetstore()
    origin = new URL(petstore.baseUrl).origin
    operationIds = await operationIdsOf(`${origin}/openapi.json`)
    browser = await sharedBrowser()
  })

  after(() => petstore?.close())

  describe('what it shows and tries', () => {
    const docs = openDocs({ viewport: { width: 1440, height: 900 } })

    itInFull('says when getPet is removed, also while it is closed', async () => {
      const { page } = docs()
      const getPet = operationOn(page, 'getPet')
      assert.ok(await getPet.getByText('removal: 5 December 2030').isVisible())

      await openOperation(page, 'getPet')

      await getPet.getByText('Deprecated: this operation is removed on 5 December 2030.').waitFor()
    })

    itInFull(
      'checks a key when it is entered, and repeats what the server says of it',
      async () => {
        const { page, problems } = docs()
        const { issueKey } = petstore

        for (const [key, sentence] of [
          ['garbage', /not an API key/],
          [await issueKey({ environment: 'production' }), /production/],
          [await issueKey({ expired: true }), /expired/],
          [await issueKey({ revoked: true }), /revoked/],
        ] as const) {
          await enterKey(page, key)
          await page.getByRole('alert').filter({ hasText: sentence }).waitFor()
          assert.equal(await page.getByRole('alert').count(), 1)
        }
        await useKey(page, ` Bearer ${await issueKey({ scopes: ['orders:read'] })} `)
        await page.getByText('It may do: orders:read.').waitFor()
        assert.equal(await page.getByRole('alert').count(), 0)
        await page.getByRole('button', { name: 'Forget it' }).click()
        await page.getByText('The key is forgotten.').waitFor()
        // The browser itself logs every response of this kind.
        assert.equal(problems.splice(0).filter((one) => /status of 40[13]/.test(one)).length, 5)
      },
    )

    it('tries listPets with a key: an int64 digit for digit, a hostile name as text, no filter unasked', async () => {
      await createPet({ name: hostileName, categoryId: int64Max })
      const { page } = docs()

      await useKey(page, petstore.key)
      const listPets = await openOperation(page, 'listPets')
      await listPets.getByLabel('categoryId').fill(int64Max)

      assert.equal(await send(listPets), '200')
      const body = await bodyOf(listPets)
      const [pet] = JSON.parse(body)
      assert.equal(pet.name, hostileName)
      assert.match(body, new RegExp(`\n {4}"categoryId": ${int64Max}\n`))
      assert.equal(await page.locator('.result :is(img, script)').count(), 0)
      const sent = await textOf(listPets.locator('.result .sent'))
      assert.equal(sent, `GET ${petstore.baseUrl}/pets?categoryId=${int64Max}`)
      assert.match(await textOf(listPets.locator('.answered')), /\d ms · \d+ bytes · request \S/)
    })

    itInFull('finds operations, errors and schemas as one types, and leads to them', async () => {
      const { page } = docs()

      await page.getByLabel('Search the reference').fill('stock nowhere')
      const found = page.locator('.side li:visible')
      assert.deepEqual(await found.allTextContents(), [])
      await page.getByText('Nothing is called stock nowhere.').waitFor()
      await page.getByLabel('Search the reference').fill('pet_not')
      assert.deepEqual(await found.allTextContents(), ['409 pet_not_available'])
      await page.keyboard.press('Enter')

      await page.locator('#error-pet_not_available').waitFor()
      assert.equal(new URL(page.url()).hash, '#error-pet_not_available')
    })

    itInFull('shows all samples in the language that was chosen, and copies one', async () => {
      const { page } = docs()
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      const createPet = await openOperation(page, 'createPet')

      await createPet.getByText('Python', { exact: true }).click()
      const listPets = await openOperation(page, 'listPets')
      const sample = listPets.locator('.sample:visible')
      await sample.getByRole('button', { name: 'Copy' }).click()
      await sample.getByRole('button', { name: 'Copied' }).waitFor()

      const copied = String(await page.evaluate('navigator.clipboard.readText()'))
      assert.match(copied, /^import os\nimport urllib\.request\n/)
      assert.ok(copied.includes(`"${petstore.baseUrl}/pets?status=available&limit=20"`), copied)
    })

    itInFull('can be used with the keyboard alone', async () => {
      const { page } = docs()
      await page.goto(`${origin}/docs`)

      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
      const getLiveness = operationOn(page, 'getLiveness')
      await getLiveness.locator(':scope > summary').focus()
      await page.keyboard.press('Enter')
      await getLiveness.locator('.operation-body').waitFor()
      for (let count = 0; count < 2; count++) await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')

      assert.equal(await textOf(getLiveness.locator('.answered .status')), '200')
    })

    itInFull('shows 401 without a key, and forgets the key with the page', async () => {
      const { page, problems } = docs()
      await page.reload()

      const listPets = await openOperation(page, 'listPets')

      assert.equal(await send(listPets), '401')
      assert.match(await bodyOf(listPets), /"code": "missing_api_key"/)
      assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0)
      // The browser itself logs every response of this kind.
      assert.equal(problems.length, 1)
      assert.match(String(problems.pop()), /status of 401/)
    })
  })

  describeInFull('how it looks', () => {
    const docs = openDocs({ colorScheme: 'dark' })

    it('fits a screen 390 pixels wide', async () => {
      const { page } = docs()
      for (const operationId of operationIds) await openOperation(page, operationId)

      await page.setViewportSize({ width: 390, height: 844 })

      assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 390)
      await page.setViewportSize({ width: 1280, height: 720 })
    })

    // It is dark when it opens, and becomes light when the system does.
    for (const colorScheme of ['dark', 'light'] as const) {
      it(`is readable in the ${colorScheme} colour scheme`, async () => {
        const { page, problems } = docs()
        if (colorScheme === 'dark') {
          assert.equal(await send(await openOperation(page, 'listPets')), '401')
          await enterKey(page, 'garbage')
          await page.getByRole('alert').waitFor()
          assert.equal(problems.splice(0).filter((one) => /status of 401/.test(one)).length, 2)
          await page.evaluate(
            `for (const box of document.querySelectorAll('details')) box.open = true`,
          )
        }
        await preferColorScheme(page, colorScheme)

        await expectReadable(page)
      })
    }
  })

  describeInFull('without scripts', () => {
    const docs = openDocs({ javaScriptEnabled: false })

    it('shows every operation, and offers nothing that it cannot do', async () => {
      const { page } = docs()

      const createPet = await openOperation(page, 'createPet')

      await createPet.getByText('curl "').waitFor()
      assert.equal(await page.getByRole('button').count(), 0)
      assert.equal(await page.getByRole('textbox').count(), 0)
      for (const id of operationIds) assert.ok(await operationOn(page, id).isVisible(), id)
    })
  })

  /**
   * Opens the page for the tests of a suite, in their order, since loading takes longer than most of them. A request
   * to another origin, or an error on the console, is a failure.
   */
  function openDocs(options: BrowserContextOptions = {}) {
    let docs: OpenPage
    before(async () => {
      docs = await openPage(browser, `${origin}/docs`, options)
    })
    afterEach(() => assert.deepEqual(docs.problems.splice(0), []))
    after(() => docs?.page.context().close())
    return () => docs
  }

  async function createPet({ name, categoryId }: Record<'name' | 'categoryId', string>) {
    const response = await fetch(`${petstore.baseUrl}/pets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${petstore.key}`, 'content-type': 'application/json' },
      body: `{"name":${JSON.stringify(name)},"categoryId":${categoryId}}`,
    })
    assert.equal(response.status, 201)
  }
})

async function operationIdsOf(documentUrl: string): Promise<string[]> {
  const response = await fetch(documentUrl)
  const { paths } = (await response.json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  return operations.map(({ operationId }) => operationId)
}
