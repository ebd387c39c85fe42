/** What a key may do. A key issued with defaults has all of them. */
export const scopes = [
  'pets:read',
  'pets:write',
  'orders:read',
  'orders:write',
  'inventory:read',
  'inventory:write',
] as const

export type Scope = (typeof scopes)[number]
