/** The scopes of keys. A key has all of them by default. */
export const scopes = [
  'pets:read',
  'pets:write',
  'orders:read',
  'orders:write',
  'inventory:read',
  'inventory:write',
] as const

export type Scope = (typeof scopes)[number]
