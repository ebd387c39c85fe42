export default {
  input: 'openapi.json',
  output: { path: 'petstore', importFileExtension: '.ts' },
  plugins: [
    '@hey-api/client-fetch',
    { name: '@hey-api/transformers', bigInt: true, dates: false },
    { name: '@hey-api/sdk', transformer: true },
  ],
}
