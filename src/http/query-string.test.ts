import assert from 'node:assert/strict'
import { it } from 'node:test'
import { replaceParameter } from './query-string.ts'

it('nothing that a caller sent ends a link, or its query, too early', () => {
  const replaced = replaceParameter('a=<b>&c="d"&e=#f&g=h i', 'cursor', 'x')

  assert.equal(replaced, 'a=%3Cb%3E&c=%22d%22&e=%23f&g=h%20i&cursor=x')
})

it('replaces the parameter however its name was written, and each time it was sent', () => {
  assert.equal(replaceParameter('cursor=1&a=1&%63ursor=2&cursor', 'cursor', 'x'), 'a=1&cursor=x')
})
