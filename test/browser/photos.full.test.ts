import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { demoPhotoOf } from '../../src/admin/seed/demo-photos.ts'
import { expectAccessible, rowOf } from '../harness/console-page.ts'
import { buttonOn } from '../harness/console-state.ts'
import { useConsoleStore } from '../harness/console-store.ts'
import { bodyOf, openOperation, openPage, send as trySend, useKey } from '../harness/docs-page.ts'
import { sharedBrowser } from '../harness/shared-browser.ts'

type Photo = { petId: number; type: string; width: number; height: number }

const shown = 'img[src^="blob:"]'

/** The width of a picture that the browser shows. */
async function widthOf(page: Page, selector: string): Promise<unknown> {
  const found = await page.waitForFunction(`document.querySelector('${selector}')?.naturalWidth`)
  return found.jsonValue()
}

describe('photos on the pages', () => {
  const { open, send, petstore } = useConsoleStore({ seed: 60 })
  const photoOf = async (id: number) => ((await send('GET', `/photos?petId=${id}`)) as Photo[])[0]

  it('shows photos in the rows, and one in the panel of its pet, where it is replaced and deleted', async () => {
    const page = await open('pets')
    await rowOf(page, 1).locator(shown).waitFor()
    assert.equal(await rowOf(page, 2).locator(shown).count(), 0)

    await rowOf(page, 1).click()
    const panel = page.getByRole('region', { name: 'Photo' })
    assert.equal(await widthOf(page, '[aria-label=Photo] img'), 120)
    const before = await panel.locator(shown).getAttribute('src')
    await expectAccessible(page, 'a pet with a photo')
    const choosing = page.waitForEvent('filechooser')
    await buttonOn(page, 'Replace the photo').click()
    const png = { name: 'fish.png', mimeType: 'image/png', buffer: demoPhotoOf('Goldfish') }
    await (await choosing).setFiles(png)
    await panel.locator(`${shown}:not([src="${before}"])`).waitFor()
    await buttonOn(page, 'Delete the photo').click()
    await buttonOn(page, 'Add a photo').waitFor()
    assert.equal(await photoOf(1), undefined)
    assert.equal(await rowOf(page, 1).locator(shown).count(), 0)
  })

  it('makes a large photo smaller before it sends it; one that was dropped, or pasted', async () => {
    const page = await open('pets')
    await rowOf(page, 2).click()
    for (const [kind, side] of [
      ['drop', 3_200],
      ['paste', 2_000],
    ] as const) {
      await page.evaluate(`(async () => {
        const canvas = new OffscreenCanvas(${side}, ${side / 2})
        canvas.getContext('2d').fillRect(0, 0, 9, 9)
        const file = new File([await canvas.convertToBlob({ type: 'image/png' })], 'a.png', { type: 'image/png' })
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(file)
        const target = document.querySelector('[aria-label=Photo]')
        const options = { bubbles: true, cancelable: true }
        if ('${kind}' === 'drop') target.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer }))
        else target.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: dataTransfer }))
      })()`)
      await page.locator('[aria-label=Photo][aria-busy=false]').locator(shown).waitFor()
      let photo = await photoOf(2)
      while (photo === undefined) photo = await photoOf(2)
      assert.deepEqual([photo.type, photo.width, photo.height], ['image/webp', 1_600, 800])
      await buttonOn(page, 'Delete the photo').click()
      await buttonOn(page, 'Add a photo').waitFor()
    }
    assert.equal(await page.getByRole('dialog').count(), 0)
  })

  it('says in words what is wrong with a file', async () => {
    const page = await open('pets')
    await rowOf(page, 5).click()
    const choosing = page.waitForEvent('filechooser')
    await buttonOn(page, 'Add a photo').click()
    const text = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
    await (await choosing).setFiles(text)

    await page.getByText('This browser cannot show the file').waitFor()
  })

  it('the reference sends a file, in a form too, and shows a photo', async () => {
    const { baseUrl, key } = petstore()
    const address = `${new URL(baseUrl).origin}/docs`
    const { page, problems } = await openPage(await sharedBrowser(), address)
    await useKey(page, key)
    const dot = Buffer.from('RIFF\x16\0\0\0WEBPVP8L\t\0\0\0/\0\0\0\0EDD\0\0', 'latin1')

    for (const [id, status] of [
      ['replacePhoto', '201'],
      ['uploadPhoto', '200'],
    ] as const) {
      const operation = await openOperation(page, id)
      await operation.getByLabel('petId').fill('6')
      const file = { name: 'dot.webp', mimeType: 'image/webp', buffer: dot }
      await operation.getByLabel('File').setInputFiles(file)
      assert.equal(await trySend(operation), status)
      assert.match(await bodyOf(operation), /"type": "image\/webp"/)
    }
    const getPhoto = await openOperation(page, 'getPhoto')
    await getPhoto.getByLabel('petId').fill('6')
    assert.equal(await trySend(getPhoto), '200')
    // A browser takes the example of the document for a picture.
    assert.equal(await widthOf(page, '[data-operation=getPhoto] img'), 1)
    await page.context().close()
    assert.deepEqual(problems, [])
  })
})
