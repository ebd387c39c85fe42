export const scopes = ['orders:read', 'orders:write', 'inventory:read', 'inventory:write'] as const
