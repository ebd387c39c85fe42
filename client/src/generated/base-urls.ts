// Made from the contract by tools/generate.ts.

/** Where a store on this machine is. */
export const baseUrls = {
  production: 'http://127.0.0.1:8080/v1',
  staging: 'http://127.0.0.1:8081/v1',
}
