import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'

for (const name of ['openapi.json', 'src/openapi/arazzo.json']) {
  it(`a strict linter finds nothing in ${name}`, async () => {
    const source = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
    const config = await createConfig({ extends: ['recommended-strict'] })

    const problems = await lintFromString({ source, absoluteRef: name, config })

    assert.deepEqual(
      problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      [],
    )
  })
}
