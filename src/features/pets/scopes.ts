/** Categories share them. */
export const scopes = ['pets:read', 'pets:write'] as const
