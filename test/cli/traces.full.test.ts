import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aCollector } from '../harness/collector.ts'
import { aDirectory, ask } from '../processes/command.ts'
import { settingsFor, startService } from '../processes/process.ts'

it('OTEL_EXPORTER_OTLP_ENDPOINT: a service sends its last spans when it stops; other variables are warned of', async (t) => {
  const collector = await aCollector(t)
  await using service = await startService({
    env: {
      ...settingsFor(aDirectory(t)),
      PETSTORE_ENVIRONMENT: 'staging',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      OTEL_PROPAGATORS: 'b3',
    },
  })

  await ask(`${service.baseUrl}/pets`, service.key)
  const { stderr } = await service.stop()

  const names = collector.spans().map(({ name }) => name)
  assert.ok(names.includes('GET /v1/pets'), names.join())
  assert.match(stderr, /Without effect: OTEL_PROPAGATORS;/)
})
