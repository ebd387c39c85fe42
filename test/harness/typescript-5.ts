import { registerHooks } from 'node:module'

// openapi-typescript writes types with the API of TypeScript 5, which TypeScript 7 does not have.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
})
