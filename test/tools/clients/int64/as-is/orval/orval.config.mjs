// With useBigInt, which alone changes the types and keeps no digit.
export default {
  petstore: {
    input: 'openapi.json',
    output: {
      client: 'fetch',
      target: 'petstore.ts',
      baseUrl: { getBaseUrlFromSpecification: true },
      override: { useBigInt: true },
    },
  },
}
