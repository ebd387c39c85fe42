import assert from 'node:assert/strict'
import { it } from 'node:test'
import { listWords } from './list-words.ts'

it('lists words as a sentence does', () => {
  for (const words of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
    assert.equal(listWords(words), new Intl.ListFormat('en-GB').format(words))
    const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })
    assert.equal(listWords(words, 'or'), either.format(words))
  }
})

it('a start and a refusal do without Intl.ListFormat, whose first use takes 30 ms', async (t) => {
  t.mock.property(Intl, 'ListFormat', undefined)
  const { loadConfig } = await import('../config/config.ts')
  const { describeUnknown } = await import('../http/request/problems.ts')

  loadConfig({}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example' })
  const known = ['name', 'status', 'search']
  const described = describeUnknown('x', { kind: 'parameter', of: 'listPets', known })

  assert.match(described, /it takes name, status and search$/)
})
