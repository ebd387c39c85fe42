import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { expectAccessible, holdMessages, rowOf, signIn } from '../harness/console-page.ts'
import { useConsoleStore } from '../harness/console-store.ts'
import { itInFull } from '../harness/extent.ts'

describe('the console', () => {
  const { open, openSignedOut, send, petstore } = useConsoleStore({ seed: 300 })

  async function openPets(path = 'pets', key?: string) {
    const page = await open(path, key)
    await page.getByRole('grid').waitFor()
    return page
  }

  it('loads at most 300 KB, and no TypeBox', () => {
    const dist = join(import.meta.dirname, '../../console/dist')
    const { folder } = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'))
    const html = readFileSync(join(dist, folder, 'index.html'), 'utf8')
    const names = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(
      ([, name]) => name ?? '',
    )
    const sizes = names.map((name) => readFileSync(join(dist, folder, `${name}.gz`)).length)

    assert.ok(names.length >= 3)
    assert.ok(sizes.reduce((sum, size) => sum + size, html.length) <= 300_000, `${sizes}`)
    for (const name of names) {
      assert.doesNotMatch(
        readFileSync(join(dist, folder, name), 'utf8'),
        /TypeBox|Ajv|~kind/i,
        name,
      )
    }
  })

  itInFull(
    'signs in with a key, which is kept for the tab alone, and says why another is refused',
    async () => {
      const page = await openSignedOut()

      // No command can add a key to a store in memory; the reference knows of which kind a store is.
      assert.doesNotMatch(await page.innerText('main'), /keys create/)
      const help = await page.getByRole('link', { name: 'reference' }).getAttribute('href')
      assert.match(help ?? '', /\/docs#key$/)
      await signIn(page, 'garbage')
      await page.getByText('not an API key').waitFor()
      await signIn(page, await petstore().issueKey({ revoked: true }))
      await page.getByText('revoked').waitFor()
      await expectAccessible(page, 'sign-in with an error')
      await signIn(page, petstore().key)
      await rowOf(page, 1).waitFor()
      await page.reload()
      await rowOf(page, 1).waitFor()

      const kept = await page.evaluate(
        'JSON.stringify([document.cookie, localStorage, location.href])',
      )
      assert.doesNotMatch(String(kept), /pet_test_/)
      const other = await page.context().newPage()
      await other.goto(page.url())
      await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    },
  )

  it('finds, adds, edits and withdraws a pet with the keyboard alone, and says at the fields what is wrong', async () => {
    const page = await openPets()
    const { keyboard } = page
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await rowOf(page, 3).waitFor()
    await holdMessages(page)
    await page.getByRole('grid').focus()
    const counted = parseInt(String(await page.getByText(/^\d+ pets$/).textContent()), 10)

    await keyboard.press('n')
    await name.waitFor()
    await keyboard.press('Enter')
    await page.getByText('Name is missing').waitFor()
    await page.getByText('Category is missing').waitFor()
    await expectAccessible(page, 'adding a pet with errors')
    await keyboard.type('Quill, white hedgehog')
    await keyboard.press('Tab')
    await keyboard.type('9007199254740993')
    await page.getByRole('option', { name: 'Category 9007199254740993' }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await keyboard.press('Control+Enter')
    await page.getByText(/^Pet \d+ was added/).waitFor()
    // On a busy machine this may take many seconds: the longer a count takes, the later it is repeated.
    await page.getByText(`${counted + 1} pets`, { exact: true }).waitFor()

    await keyboard.press('/')
    // On a busy machine the first letters are searched for before.
    const listed = page.waitForResponse(/\/v1\/pets\?(?=.*search=quill(&|$))(?=.*limit=100)/)
    await keyboard.type('quill')
    await page.waitForURL(/\?words=quill$/)
    await listed
    await page.locator('[role="grid"][aria-busy="false"]').waitFor()
    const added = page.getByRole('row').filter({ hasText: 'Quill, white hedgehog' })
    await added.getByText('Category 9007199254740993').waitFor()
    await page.getByRole('grid').focus()
    await keyboard.press('ArrowDown')
    await keyboard.press('e')
    await name.fill('Quill, grey hedgehog')
    await keyboard.press('Enter')
    await page.getByText(/^Pet \d+ was saved/).waitFor()
    assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'grid')

    await keyboard.press('Delete')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('row').filter({ hasText: 'Available' }).first().waitFor()
    await page.getByRole('grid').focus()
    await keyboard.press('Delete')
    await page.getByRole('button', { name: 'Now' }).click()
    await page.getByText(/^Pet \d+ was withdrawn/).waitFor()
    assert.deepEqual(await send('GET', '/pets?name=quill'), [])
  })

  itInFull('shows what others change, and moves nothing under the pointer', async () => {
    const page = await openPets('pets?status=available')
    await rowOf(page, 4).hover()
    const box = await rowOf(page, 4).boundingBox()

    await send('PATCH', '/pets/4', { name: 'Renamed by another' })
    await send('DELETE', '/pets/3')
    await rowOf(page, 4).getByText('Renamed by another').waitFor()
    await rowOf(page, 3).getByText('Withdrawn').waitFor()

    assert.deepEqual(await rowOf(page, 4).boundingBox(), box)
    await page.getByRole('button', { name: 'bring up to date' }).click()
    await rowOf(page, 3).waitFor({ state: 'detached' })
  })

  itInFull('does not offer what the key may not do', async () => {
    const key = await petstore().issueKey({ scopes: ['pets:read'] })
    const page = await openPets('pets', key)
    await rowOf(page, 7).click()

    assert.equal(await page.getByRole('button', { name: 'Add a pet' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Edit pet 7' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
  })
})
