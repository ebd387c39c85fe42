// useBigInt alone makes the types bigint, and leaves the values rounded.
export default {
  petstore: {
    input: 'openapi.json',
    output: {
      client: 'fetch',
      target: 'petstore.ts',
      baseUrl: { getBaseUrlFromSpecification: true },
      override: {
        useBigInt: true,
        fetch: { jsonReviver: { path: './int64.ts', name: 'exact' } },
      },
    },
  },
}
