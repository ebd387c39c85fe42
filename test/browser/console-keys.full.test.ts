import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expectAccessible, rowOf } from '../harness/console-page.ts'
import { buttonOn, fieldOn } from '../harness/console-state.ts'
import { useConsoleStore } from '../harness/console-store.ts'

type Key = { id: number; name: string; scopes: string[]; expiresAt?: string; revokedAt?: string }

describe('the keys page', () => {
  const { open, petstore, send } = useConsoleStore({ seed: 5 })

  const boxOn = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
  const keyOf = (id: number) => send('GET', `/keys/${id}`) as Promise<Key>
  const statusOf = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    return (await fetch(`${petstore().baseUrl}/keys/self`, { headers })).status
  }
  const create = async (body: object) =>
    (await send('POST', '/keys', { name: 'shop', ...body })) as Key & { key: string }

  /** The key that is shown once. */
  async function issuedOn(page: Page): Promise<string> {
    await buttonOn(page, 'Copy the command').waitFor()
    return (await page.getByRole('dialog').locator('pre').first().textContent()) ?? ''
  }

  it('creates a key with the check boxes, shows it once with a command that works, and revokes it unless that is undone', async () => {
    const page = await open('keys')
    await buttonOn(page, 'Create a key').click()
    await fieldOn(page, 'Name').fill('Report')
    await buttonOn(page, 'Read only').click()
    await boxOn(page, 'See inventory').uncheck()
    await buttonOn(page, 'Create').click()

    const key = await issuedOn(page)
    const command = await page.getByRole('dialog').locator('pre').last().textContent()
    const { stdout } = await promisify(execFile)('bash', ['-c', `${command} --silent`])
    const { id, scopes } = JSON.parse(stdout) as Key
    await expectAccessible(page, 'a key that is shown once')
    await buttonOn(page, 'Done').click()
    await rowOf(page, id).waitFor()

    assert.deepEqual(scopes, ['pets:read', 'orders:read'])
    assert.doesNotMatch(String(await page.content()), new RegExp(key.slice(9)))
    await rowOf(page, id).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Delete')
    await buttonOn(page, 'Undo').click()
    await page.keyboard.press('Delete')
    await buttonOn(page, 'Undo').waitFor()
    assert.equal(await statusOf(key), 200)
    // What waits is sent with the key that asked for it.
    await page.getByRole('button', { name: 'Signed in' }).click()
    await buttonOn(page, 'Sign out').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await statusOf(key), 401)
  })

  it('everything is one click, and a key without one box is a list; an expiry is set and removed', async () => {
    const { id } = await create({ scopes: ['pets:read'] })
    const page = await open('keys')
    await rowOf(page, id).click()
    await buttonOn(page, 'Everything').click()
    await boxOn(page, 'Manage keys').check()
    await page.getByLabel('Last day').fill('2099-12-31')
    await buttonOn(page, 'Save').click()
    await rowOf(page, id).getByText('Everything; manage keys').waitFor()
    const widened = await keyOf(id)

    await rowOf(page, id).click()
    await boxOn(page, 'Change pets').uncheck()
    await page.getByLabel('Last day').fill('')
    await buttonOn(page, 'Save').click()
    await rowOf(page, id).getByText('See pets').waitFor()
    const narrowed = await keyOf(id)

    assert.deepEqual(widened.scopes, ['default', 'keys:manage'])
    assert.match(widened.expiresAt ?? '', /^(2099-12-31|2100-01-01)T/)
    assert.deepEqual(narrowed.scopes, [
      ...['pets:read', 'orders:read', 'orders:write'],
      ...['inventory:read', 'inventory:write', 'keys:manage'],
    ])
    assert.equal(narrowed.expiresAt, undefined)
  })

  it('rotates a key: the old one is accepted as long as was chosen; that of the session is replaced', async () => {
    const shop = await create({ name: 'rotated' })
    const manager = await create({ scopes: ['default', 'keys:manage'] })
    const page = await open('keys', manager.key)

    await rowOf(page, shop.id).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('r')
    await buttonOn(page, 'Rotate').click()
    const successor = await issuedOn(page)
    assert.deepEqual([await statusOf(shop.key), await statusOf(successor)], [200, 200])
    await buttonOn(page, 'Done').click()

    await rowOf(page, manager.id).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('r')
    await page.getByText('Not at all').click()
    await buttonOn(page, 'Rotate').click()
    const own = await issuedOn(page)
    assert.deepEqual([await statusOf(manager.key), await statusOf(own)], [401, 200])
    await buttonOn(page, 'Done').click()
    await page.reload()
    await rowOf(page, manager.id).getByText('yours').waitFor()
  })

  it('offers nothing that the signed-in key may not grant', async () => {
    const { id } = await create({ scopes: ['pets:read'] })
    const page = await open(
      'keys',
      await petstore().issueKey({ scopes: ['keys:manage', 'pets:read'] }),
    )

    await rowOf(page, 1).click()
    await page.keyboard.press('Escape')
    assert.equal(
      await rowOf(page, 1)
        .getByRole('button', { name: /key 1$/ })
        .count(),
      0,
    )
    await page.keyboard.press('Delete')
    await rowOf(page, 1).click()
    await buttonOn(page, 'Close').click()
    await rowOf(page, id).click()
    await boxOn(page, 'See pets').waitFor()

    assert.equal(await page.getByRole('checkbox').count(), 2)
    assert.equal(await buttonOn(page, 'Everything').count(), 0)
    assert.equal(await buttonOn(page, 'Undo').count(), 0)
  })

  it('a key that may not manage keys has no such page', async () => {
    const page = await open('keys', await petstore().issueKey())

    await page.getByText('This key has no access to this page').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Keys', exact: true }).count(), 0)
  })
})
