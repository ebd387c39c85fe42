import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible, holdMessages, rowOf } from '../harness/console-page.ts'
import { buttonOn, goDown } from '../harness/console-state.ts'
import { useConsoleStore } from '../harness/console-store.ts'

type Pet = { id: number }

const desk = { viewport: { width: 1280, height: 800 } }

describe('rows of a list', () => {
  const { open, send, petstore } = useConsoleStore({ seed: 300 })

  it('are chosen by the box in the header, all that are shown, then all that match', async () => {
    const page = await open('pets')
    await rowOf(page, 1).waitFor()
    await page.getByText('300 pets', { exact: true }).waitFor()
    await holdMessages(page)

    await page.getByRole('checkbox', { name: 'Choose each pet that is shown' }).click()
    const shown = page.getByText(/^\d+ pets chosen$/)
    const some = parseInt((await shown.textContent()) ?? '', 10)
    await buttonOn(page, 'Choose all 300 that match').click()
    await page.getByText('300 pets chosen').waitFor()

    assert.ok(some >= 100 && some < 300, `${some}`)
    await buttonOn(page, 'Choose none').click()
    await shown.waitFor({ state: 'detached' })
    // A click on a box opens nothing, one on the row beside it does.
    await page.getByRole('checkbox', { name: 'Choose pet 3' }).click()
    await page.getByText('1 pet chosen').waitFor()
    assert.equal(await buttonOn(page, 'Save').count(), 0)
    await rowOf(page, 4).click()
    await buttonOn(page, 'Save').waitFor()
  })

  it('name their icons at once, have no frame as a whole, and boxes that are seen in the dark', async () => {
    const page = await open('pets', petstore().key, { ...desk, colorScheme: 'dark' })
    await goDown(page, 2)
    const icon = buttonOn(page, 'Withdraw pet 2')

    assert.equal(await nameOf(page), 'none')
    await icon.hover()
    assert.equal(await nameOf(page), '"Withdraw (Del)"')
    await page.mouse.move(0, 0)
    await icon.focus()
    assert.equal(await nameOf(page), '"Withdraw (Del)"')
    await page.getByRole('grid').focus()
    assert.equal(await styleOf(page, '[role=grid]', 'outlineStyle'), 'none')
    await expectAccessible(page, 'a list in the dark')
    assert.ok((await contrastOfBox(page)) >= 3)
  })

  it('cut no cell while another one of the row has room, at 1,280 px, also in a wide font', async () => {
    const pet = { name: 'Aurelia, long-haired Norwegian forest cat', categoryId: 1 }
    const { id } = (await send('POST', '/pets', { ...pet, status: 'available' })) as Pet
    await send('POST', '/store/orders', { petId: id, reference: 'Web shop 2026-1187, Mrs Finch' })
    await send('PATCH', `/pets/${id}`, { name: `${pet.name} of the north` })
    for (const path of ['pets?sort=-id', 'orders', 'inventory', 'categories', 'events', 'keys']) {
      const page = await open(path, petstore().key, desk)
      await page.locator('[role=row][id^=row-]').first().waitFor()
      for (const spacing of ['0', '0.06em']) {
        await page.evaluate(`document.body.style.letterSpacing = '${spacing}'`)
        assert.deepEqual(await page.evaluate(cutCells), [], `${path}, ${spacing}`)
      }
    }
  })
})

/** What names the icon that withdraws pet 2, beside it. */
function nameOf(page: Page): Promise<unknown> {
  return page.evaluate(
    `getComputedStyle(document.querySelector('[aria-label="Withdraw pet 2"]'), '::before').content`,
  )
}

function styleOf(page: Page, selector: string, name: string): Promise<unknown> {
  return page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`)
}

/** The contrast between the border of a box that is not checked and the list. */
async function contrastOfBox(page: Page): Promise<number> {
  const border = await styleOf(page, '[role=row] input[type=checkbox]', 'borderTopColor')
  const behind = await styleOf(page, 'section:has(> div > [role=grid])', 'backgroundColor')
  const [one, other] = [border, behind].map((colour) => luminanceOf(String(colour))) as [
    number,
    number,
  ]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** The relative luminance of WCAG 2. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? [])
    .slice(0, 3)
    .map((text) => Number(text) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The cells that are cut while the text of another one of their row leaves 40 px of its column. */
const cutCells = `[...document.querySelectorAll('[role=row][id^=row-]')].flatMap((row) => {
  const cells = [...row.querySelectorAll('[role=gridcell]')].filter((cell) => cell.offsetWidth > 0)
  const isCut = (cell) => [cell, ...cell.querySelectorAll('*:not(.only-heard)')].some((part) =>
    getComputedStyle(part).overflowX === 'hidden' && part.scrollWidth > part.clientWidth + 1)
  const roomIn = (cell) => {
    const { left, right } = cell.getBoundingClientRect()
    const range = document.createRange()
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    let end = left
    while (texts.nextNode()) {
      if (texts.currentNode.parentElement.closest('.only-heard')) continue
      range.selectNodeContents(texts.currentNode)
      end = Math.max(end, range.getBoundingClientRect().right)
    }
    return Math.round(right - end)
  }
  const ends = ['choice', 'actions']
  const rooms = cells.filter(({ dataset }) => !ends.includes(dataset.column))
    .filter((cell) => !isCut(cell) && roomIn(cell) >= 40)
    .map((cell) => cell.dataset.column + ' has ' + roomIn(cell))
  return cells.filter(isCut).filter(() => rooms.length > 0)
    .map((cell) => cell.textContent + ' is cut, ' + rooms.join())
})`
