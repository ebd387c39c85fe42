import type { Page } from 'playwright-core'
import { rowOf } from './console-page.ts'
import {
  buttonOn,
  type ConsoleState,
  clientOf,
  fieldOn,
  goDown,
  listStates,
  type Shown,
} from './console-state.ts'
import { hostileTexts } from './hostile-texts.ts'

const path = 'pets'

/** The page of the pets. */
export const petStates: readonly ConsoleState[] = [
  { name: 'pets', path, lead: ({ page }) => rowOf(page, 1).waitFor() },
  { name: 'pets-active', path, lead: ({ page }) => goDown(page, 5) },
  { name: 'pets-hover', path, lead: ({ page }) => rowOf(page, 4).hover() },
  {
    name: 'pets-filtered',
    path: 'pets?status=pending&category=1&sort=-id',
    lead: ({ page }) => page.getByText('Pending').nth(1).waitFor(),
  },
  { name: 'pets-edit', path, lead: ({ page }) => edit(page, 3) },
  {
    name: 'pets-edit-refused',
    path,
    async lead({ page }) {
      await edit(page, 3)
      await fieldOn(page, 'Name').fill(' ')
      await fieldOn(page, 'Name').press('Enter')
      await page.getByText('Name must be').waitFor()
    },
  },
  { name: 'pets-conflict', path, lead: conflict },
  {
    name: 'pets-edit-leaving',
    path,
    async lead({ page }) {
      await edit(page, 3)
      await fieldOn(page, 'Name').fill('Not saved yet')
      await fieldOn(page, 'Name').press('Escape')
      await buttonOn(page, 'Keep editing').waitFor()
    },
  },
  {
    name: 'pets-edit-saving',
    path,
    async lead({ page, petstore }) {
      await edit(page, 3)
      await petstore.faults.add({ operation: 'updatePet', delayMs: 600_000 })
      await fieldOn(page, 'Name').fill('Saved slowly')
      await fieldOn(page, 'Name').press('Enter')
      await fieldOn(page, 'Name').press('Escape')
      await buttonOn(page, 'Wait').waitFor()
    },
  },
  {
    name: 'pets-edit-no-category',
    path,
    async lead({ page }) {
      await edit(page, 3)
      await page.getByRole('combobox', { name: 'Category' }).last().fill('Nothing is called this')
      await buttonOn(page, 'Save').click()
      await page.getByText('Category must be chosen').waitFor()
    },
  },
  {
    name: 'pets-edit-unknown',
    path,
    async lead({ page, petstore }) {
      await edit(page, 3)
      await petstore.faults.add({ operation: 'updatePet', cut: 'before' })
      await fieldOn(page, 'Name').fill('Nobody knows')
      await fieldOn(page, 'Name').press('Enter')
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'pets-add', path, lead: ({ page }) => add(page) },
  {
    name: 'pets-add-refused',
    path,
    async lead({ page }) {
      await add(page)
      await buttonOn(page, 'Add').click()
      await page.getByText('Category is missing').waitFor()
    },
  },
  {
    name: 'pets-add-category',
    path,
    async lead({ page }) {
      await add(page)
      await page.getByRole('combobox', { name: 'Category' }).last().click()
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'pets-undo',
    path,
    async lead({ page }) {
      await goDown(page, 1)
      await page.keyboard.press('Delete')
      await buttonOn(page, 'Undo').waitFor()
    },
  },
  {
    name: 'pets-withdrawn',
    path,
    async lead({ page }) {
      await goDown(page, 3)
      await page.keyboard.press('Delete')
      await buttonOn(page, 'Now').click()
      await page.getByText(/^Pet \d+ was withdrawn/).waitFor()
    },
  },
  {
    name: 'pets-news',
    path: 'pets?status=available',
    async lead({ page, petstore }) {
      await goDown(page, 2)
      const [first] = (await clientOf(petstore).pets.list({ status: 'available', limit: 1 })).data
      await clientOf(petstore).pets.delete(first?.id ?? 0)
      await page.getByRole('button', { name: 'bring up to date' }).waitFor()
    },
  },
  {
    name: 'pets-none',
    path,
    async lead({ page }) {
      await page.getByRole('searchbox').fill('nobody is called this')
      await page.getByText('No pet matches').waitFor()
    },
  },
  {
    name: 'pets-hostile',
    path,
    async lead({ page, petstore }) {
      for (const name of hostileTexts)
        await clientOf(petstore).pets.create({ name, categoryId: 9007199254740993n })
      await page.goto(`${new URL(page.url()).origin}/console/pets?sort=-id`)
      await page.getByText('U+202E').waitFor()
    },
  },
  {
    name: 'pets-wrong-id',
    path,
    isWide: true,
    async lead({ page }) {
      await fieldOn(page, 'Go to id').fill('seven')
      await page.keyboard.press('Enter')
      await page.locator('[aria-invalid="true"]').waitFor()
    },
  },
  {
    name: 'pets-read-only',
    path,
    scopes: ['pets:read'],
    lead: ({ page }) => rowOf(page, 1).waitFor(),
  },
  ...listStates(path, 'listPets', 'There are no pets yet'),
]

async function edit(page: Page, id: number): Promise<void> {
  await rowOf(page, id).dblclick()
  await fieldOn(page, 'Name').waitFor()
}

async function add(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a pet' }).click()
  await fieldOn(page, 'Name').waitFor()
}

async function conflict({ page, petstore }: Shown): Promise<void> {
  await edit(page, 3)
  await fieldOn(page, 'Name').fill('Tara, the talking parrot')
  await clientOf(petstore).pets.update(3, { name: 'Tara, green parrot' })
  await fieldOn(page, 'Name').press('Enter')
  await page.getByRole('columnheader', { name: 'Theirs' }).waitFor()
}
