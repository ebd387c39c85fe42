/** What a key may do. A key issued with defaults has all of them. */
export const scopes = ['pets:read', 'pets:write', 'orders:read'] as const

export type Scope = (typeof scopes)[number]
