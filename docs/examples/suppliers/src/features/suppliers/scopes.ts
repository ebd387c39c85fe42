export const scopes = ['suppliers:read', 'suppliers:write'] as const
