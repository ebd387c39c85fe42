import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { openPage } from '../harness/docs-page.ts'
import { sharedBrowser } from '../harness/shared-browser.ts'

it('a block of a guide is copied with the keyboard, which is announced, and no button covers text', async (t) => {
  await using petstore = await startPetstore()
  const address = new URL('/guides/selling-a-pet', petstore.baseUrl).href
  const { page, problems } = await openPage(await sharedBrowser(), address)
  t.after(() => page.context().close())
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const block = page.locator('.copied').first()

  await block.getByRole('button', { name: 'Copy' }).press('Enter')
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor()

  const copied = await page.evaluate('navigator.clipboard.readText()')
  assert.equal(copied, await block.locator('pre').textContent())
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    assert.deepEqual(await page.evaluate(coveredBlocks), [], `${width} pixels wide`)
  }
  assert.deepEqual(problems, [])
})

/** The texts whose block and button overlap. */
const coveredBlocks = `[...document.querySelectorAll('.copied')]
  .filter((box) => {
    const [text, button] = ['pre', '.copy'].map((name) => box.querySelector(name).getBoundingClientRect())
    return text.left < button.right && button.left < text.right && text.top < button.bottom && button.top < text.bottom
  })
  .map((box) => box.textContent)`
