// Made from the contract by tools/generate.ts.

/** What keys may do. */
export const scopes = [
  'pets:read',
  'pets:write',
  'orders:read',
  'orders:write',
  'inventory:read',
  'inventory:write',
  'keys:manage',
  'webhooks:manage',
] as const

export type Scope = (typeof scopes)[number]
