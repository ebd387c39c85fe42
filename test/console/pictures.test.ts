import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'

it('the picture of README.md shows the menu that is built; `npm run picture` takes a new one', () => {
  const list = readFileSync('console/src/pages.ts', 'utf8')
  const files = [...list.matchAll(/import \{ (\w+) \} from '\.\/(.+)'/g)]
  const labels = new Map(
    files.map(([, name = '', path]) => {
      const page = readFileSync(`console/src/${path}`, 'utf8')
      return [name, /label: '(.+)'/.exec(page)?.[1]]
    }),
  )
  const order = /pages = \[(.+)\]/s.exec(list)?.[1]?.match(/\w+/g) ?? []

  const menu = JSON.parse(readFileSync('docs/console-menu.json', 'utf8'))
  assert.ok(menu.length > 4)
  assert.deepEqual(
    menu,
    order.map((name) => labels.get(name)),
  )
})
