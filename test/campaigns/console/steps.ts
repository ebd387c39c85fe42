import type { Browser, Page } from 'playwright-core'
import { openConsole, rowOf, signIn } from '../../harness/console-page.ts'
import { buttonOn, fieldOn, goDown } from '../../harness/console-state.ts'
import type { OpenPage } from '../../harness/docs-page.ts'

/** The list of pets in a window of its own, signed in. */
export async function openPets(
  browser: Browser,
  { baseUrl, key }: { baseUrl: string; key: string },
): Promise<OpenPage> {
  const { origin } = new URL(baseUrl)
  const window = await openConsole(browser, { origin, path: 'console/pets' })
  await signIn(window.page, key)
  await rowOf(window.page, 1).waitFor()
  return window
}

/** Takes steps with `>` between them. */
export async function takeAll(page: Page, steps: string): Promise<void> {
  for (const step of steps.split(' > ')) await take(page, step)
}

/**
 * Takes a step on a page: opens a row (`open 3`) or a text, goes down (`down 2`), presses a key (`[Enter]`), fills a field
 * (`Name = Tara`), waits for a row (`row 4`), an element (`<button Close>`) or a text (`"Paused"`), or clicks the button that it names.
 */
export async function take(page: Page, step: string): Promise<void> {
  const [, verb = '', text = ''] = /^(open|down|row) (.*)$/.exec(step) ?? []
  const [, field, value = ''] = /^(.+?) = (.*)$/.exec(step) ?? []
  const [, role = '', name] = /^<(\w+) ?(.+)?>$/.exec(step) ?? []
  if (verb === 'down') await goDown(page, Number(text))
  else if (verb === 'row') await page.locator(`#row-${text}`).waitFor()
  else if (verb === 'open')
    await (/^\d+$/.test(text) ? page.locator(`#row-${text}`) : textOn(page, text)).click()
  else if (field !== undefined) await fieldOn(page, field).fill(value)
  else if (role !== '') await elementOn(page, role as 'button', name).waitFor()
  else if (step.startsWith('[')) await page.keyboard.press(step.slice(1, -1))
  else if (step.startsWith('"')) await textOn(page, step.slice(1, -1)).waitFor()
  else await buttonOn(page, step).click()
}

function textOn(page: Page, text: string) {
  return page.getByText(text).filter({ visible: true }).first()
}

/** A name that begins with `…` is a part of the whole. */
function elementOn(page: Page, role: 'button', name = '…') {
  const isPart = name.startsWith('…')
  return page.getByRole(role, { name: name.replace('…', ''), exact: !isPart }).first()
}
