import { resolve } from 'node:path'
import { generateApi } from 'swagger-typescript-api'

await generateApi({
  input: resolve('openapi.json'),
  output: resolve('.'),
  fileName: 'petstore.ts',
  enumStyle: 'union',
  primitiveTypeConstructs: (types) => ({
    ...types,
    integer: { ...types.integer, int64: () => 'bigint', $default: () => 'number' },
  }),
})
