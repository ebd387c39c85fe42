// Made from the contract by tools/generate.ts.

/** What a key may do. */
export type Scope =
  | 'pets:read'
  | 'pets:write'
  | 'orders:read'
  | 'orders:write'
  | 'inventory:read'
  | 'inventory:write'
