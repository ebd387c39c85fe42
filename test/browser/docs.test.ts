import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { startPetstore } from '../../src/start-petstore.ts'
import { launchBrowser } from '../harness/browser.ts'
import {
  authorize,
  bodyOf,
  type DocsPage,
  enterKey,
  expectReadable,
  openDocsPage,
  openOperation,
  openSchemas,
  operationOn,
  preferColorScheme,
  statusOf,
  textOf,
} from '../harness/docs-page.ts'
import { describeInFull, itInFull } from '../harness/extent.ts'

interface Operation {
  operationId: string
  method: string
  deprecated?: boolean
  'x-stability'?: string
  'x-hideTryItPanel'?: boolean
}

const int64Max = '9223372036854775807'

describe('the reference page', () => {
  let petstore: Awaited<ReturnType<typeof startPetstore>>
  let browser: Browser
  let origin: string

  before(async () => {
    petstore = await startPetstore()
    origin = new URL(petstore.baseUrl).origin
    browser = await launchBrowser()
  })

  after(async () => {
    await browser?.close()
    await petstore?.close()
  })

  describe('what it shows and tries', () => {
    const docs = openDocs()

    itInFull('can be used with the keyboard alone', async () => {
      const { page } = docs()

      await page.keyboard.press('Tab')
      assert.equal(
        await page.evaluate('document.activeElement.textContent'),
        'Skip to the operations',
      )
      const listPets = operationOn(page, 'listPets')
      await listPets.locator('.opblock-summary-control').focus()
      await page.keyboard.press('Enter')

      await listPets.getByRole('button', { name: 'Try it out' }).waitFor()
    })

    it('lists every operation of the document', async () => {
      const { page } = docs()

      for (const { operationId } of await operations()) {
        assert.ok(await operationOn(page, operationId).isVisible(), operationId)
      }
      assert.equal(await page.locator('.opblock').count(), (await operations()).length)
    })

    it('marks what is beta or experimental, and nothing else', async () => {
      const { page } = docs()

      for (const { operationId, 'x-stability': stability } of await operations()) {
        const marks = operationOn(page, operationId).locator('.tag:not(.tag-deprecated)')
        assert.deepEqual(await marks.allTextContents(), stability ? [stability] : [], operationId)
      }
    })

    it('has no panel on listOrders', async () => {
      const { page } = docs()

      const listOrders = await openOperation(page, 'listOrders')

      await listOrders.getByText('cannot be tried').waitFor()
      assert.equal(await listOrders.getByRole('button', { name: 'Try it out' }).count(), 0)
      assert.equal(await listOrders.getByRole('button', { name: 'Execute' }).count(), 0)
    })

    it('says when getPet is removed, also while it is closed', async () => {
      const { page } = docs()
      const getPet = operationOn(page, 'getPet')
      assert.ok(await getPet.getByText('removal: 5 December 2030').isVisible())

      await openOperation(page, 'getPet')

      await getPet.getByText('Deprecated: this operation is removed on 5 December 2030.').waitFor()
    })

    it('checks a key when it is entered, and repeats what the server says of it', async () => {
      const { page, problems } = docs()
      await page.getByRole('button', { name: 'Authorize', exact: true }).click()
      const dialog = page.locator('.modal-ux')
      const { issueKey } = petstore

      for (const [key, sentence] of [
        ['garbage', /not an API key/],
        [await issueKey({ environment: 'production' }), /production/],
        [await issueKey({ expired: true }), /expired/],
        [await issueKey({ revoked: true }), /revoked/],
      ] as const) {
        await enterKey(page, key)
        await dialog.getByRole('alert').filter({ hasText: sentence }).waitFor()
        assert.equal(await dialog.getByRole('alert').count(), 1)
      }
      assert.equal(await dialog.getByRole('button', { name: 'Close' }).count(), 2)
      await enterKey(page, ` Bearer ${await issueKey({ scopes: ['orders:read'] })} `)
      await dialog.getByText('Authorized').waitFor()
      assert.equal(await dialog.getByRole('alert').count(), 0)
      await dialog.getByRole('button', { name: 'Remove authorization' }).click()
      await dialog.locator('.btn-done').click()
      // The browser itself logs every response of this kind.
      assert.equal(problems.splice(0).filter((one) => /status of 40[13]/.test(one)).length, 5)
    })

    it('tries listPets with a key, and shows an int64 digit for digit', async () => {
      await createPet(`{"name":"Rex","categoryId":${int64Max},"status":"available"}`)
      const { page } = docs()

      await authorize(page, petstore.key)
      const listPets = await openOperation(page, 'listPets')
      await listPets.getByRole('button', { name: 'Try it out' }).click()
      await listPets.getByPlaceholder('categoryId').fill(int64Max)
      await listPets.getByRole('button', { name: 'Execute' }).click()

      assert.equal(await statusOf(listPets), '200')
      const [pet] = JSON.parse(await bodyOf(listPets))
      assert.equal(pet.name, 'Rex')
      assert.match(await bodyOf(listPets), new RegExp(`"categoryId": ${int64Max},\n`))
      const address = await textOf(listPets.locator('.request-url pre'))
      assert.ok(address.startsWith(`${petstore.baseUrl}/pets?`), address)
      assert.match(address, new RegExp(`[?&]categoryId=${int64Max}(&|$)`))
      assert.doesNotMatch(address, /[?&](?:cursor|after|status|id|name)=/)
    })

    itInFull(
      'tries createPet with the key that it was given, and sends an int64 digit for digit',
      async () => {
        const { page } = docs()

        const create = await openOperation(page, 'createPet')
        await create.getByRole('button', { name: 'Try it out' }).click()
        await create.locator('textarea').fill(`{"name":"Max","categoryId":-${int64Max}}`)
        await create.getByRole('button', { name: 'Execute' }).click()

        assert.equal(await statusOf(create), '201')
        assert.match(await bodyOf(create), new RegExp(`"categoryId": -${int64Max}\n`))
      },
    )

    itInFull('shows 401 without a key, and forgets the key with the page', async () => {
      const { page, problems } = docs()
      await page.reload()

      const listPets = await openOperation(page, 'listPets')
      await listPets.getByRole('button', { name: 'Try it out' }).click()
      await listPets.getByRole('button', { name: 'Execute' }).click()

      assert.equal(await statusOf(listPets), '401')
      assert.match(await bodyOf(listPets), /"code": "missing_api_key"/)
      assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0)
      // The browser itself logs every response of this kind.
      assert.equal(problems.length, 1)
      assert.match(String(problems.pop()), /status of 401/)
    })

    itInFull(
      'has a language, a title, one main heading, and a name on everything one can press',
      async () => {
        const { page } = docs()
        await page.reload()
        for (const operationId of ['createPet', 'listPets', 'getPet']) {
          const opened = await openOperation(page, operationId)
          await opened.getByRole('button', { name: 'Try it out' }).click()
        }

        assert.equal(await page.locator('html').getAttribute('lang'), 'en')
        assert.match(await page.title(), /API reference/)
        assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1)
        assert.equal(await page.getByRole('main').count(), 1)
        const tree = await page.locator('body').ariaSnapshot()
        assert.match(tree, /^ *- button "Execute"/m)
        assert.doesNotMatch(tree, /^ *- (button|link|textbox|combobox)( \[.*\])*:?( |$)(?!")/m)
        assert.equal(await page.locator('img:not([alt])').count(), 0)
      },
    )
  })

  describeInFull('how it looks', () => {
    const docs = openDocs({ colorScheme: 'dark' })

    it('fits a screen 400 pixels wide', async () => {
      const { page } = docs()
      const size = page.viewportSize()
      for (const { operationId } of await oneOfEachLook()) await openOperation(page, operationId)

      await page.setViewportSize({ width: 400, height: 800 })

      assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 400)
      if (size) await page.setViewportSize(size)
    })

    // It is dark when it opens, and becomes light when the system does.
    for (const colorScheme of ['dark', 'light'] as const) {
      it(`is readable in the ${colorScheme} colour scheme`, async () => {
        const { page, problems } = docs()
        if (colorScheme === 'dark') {
          const listPets = await openOperation(page, 'listPets')
          await listPets.getByRole('button', { name: 'Try it out' }).click()
          await listPets.getByRole('button', { name: 'Execute' }).click()
          await listPets.getByRole('button', { name: 'Download' }).waitFor()
          assert.match(String(problems.pop()), /status of 401/)
          await operationOn(page, 'createPet').getByRole('tab', { name: 'Schema' }).first().click()
          await openSchemas(page)
          await page.getByRole('button', { name: 'Authorize', exact: true }).click()
          await enterKey(page, 'garbage')
          await page.getByRole('alert').waitFor()
          assert.match(String(problems.pop()), /status of 401/)
        }
        await preferColorScheme(page, colorScheme)

        await expectReadable(page)
      })
    }
  })

  describeInFull('without scripts', () => {
    const docs = openDocs({ javaScriptEnabled: false })

    it('points to the document', async () => {
      const { page } = docs()

      const link = page.locator('noscript').getByRole('link', { name: 'openapi.json' })

      assert.ok(await link.isVisible())
      await link.click()
      assert.equal(page.url(), `${origin}/openapi.json`)
    })
  })

  /**
   * Opens the page for the tests of a suite, in their order, since loading takes longer than most of them. A request
   * to another origin, or an error on the console, is a failure.
   */
  function openDocs(options: BrowserContextOptions = {}) {
    let docs: DocsPage
    before(async () => {
      docs = await openDocsPage(browser, origin, options)
    })
    afterEach(() => assert.deepEqual(docs.problems.splice(0), []))
    after(() => docs?.page.context().close())
    return () => docs
  }

  async function createPet(body: string): Promise<void> {
    const response = await fetch(`${petstore.baseUrl}/pets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${petstore.key}`, 'content-type': 'application/json' },
      body,
    })
    assert.equal(response.status, 201)
  }

  async function operations(): Promise<Operation[]> {
    const response = await fetch(`${origin}/openapi.json`)
    const { paths } = (await response.json()) as {
      paths: Record<string, Record<string, Omit<Operation, 'method'>>>
    }
    return Object.values(paths)
      .flatMap((path) => Object.entries(path).map(([method, rest]) => ({ method, ...rest })))
      .filter(({ operationId }) => operationId !== undefined)
  }

  /** Opening an operation takes the page longer than everything else here, and most operations look alike. */
  async function oneOfEachLook(): Promise<Operation[]> {
    const looks = Map.groupBy(await operations(), (one) =>
      [one.method, one.deprecated, one['x-hideTryItPanel']].join(),
    )
    return [...looks.values()].map(([first]) => first as Operation)
  }
})
