import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'

it('the picture of README.md shows the menu that is built; `npm run picture` takes a new one', () => {
  const list = readFileSync('console/src/pages.ts', 'utf8')
  const labels = [...list.matchAll(/label: '(.+)'/g)].map(([, label]) => label)

  const menu = JSON.parse(readFileSync('docs/console-menu.json', 'utf8'))
  assert.ok(menu.length > 4)
  assert.deepEqual(menu, labels)
})
