import assert from 'node:assert/strict'
import { it } from 'node:test'
import { replaceParameter } from './query-string.ts'

const withCursor = (query: string) =>
  replaceParameter(query, { name: 'cursor', value: 'x', removed: 'after' })

it('a query that a link repeats contains nothing that could end the link', () => {
  const replaced = withCursor('a=<b>&c="d"&e=#f&g=h i')

  assert.doesNotMatch(replaced, /[<>"# ]/)
  assert.equal(replaced, 'a=%3Cb%3E&c=%22d%22&e=%23f&g=h%20i&cursor=x')
})

it('a parameter is replaced or removed however it was encoded', () => {
  assert.equal(withCursor('cursor=1&a=1&%63ursor=2&cursor'), 'a=1&cursor=x')
  assert.equal(withCursor('after=1&a=after&%61fter=2&after&afters=1'), 'a=after&afters=1&cursor=x')
  assert.equal(withCursor('%ff=1&=2'), '%ff=1&=2&cursor=x')
})
