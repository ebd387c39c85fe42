/** Of pets and categories. */
export const scopes = ['pets:read', 'pets:write'] as const
