/** Not part of "default": a webhook sends what its maker may read to any address. */
export const scopes = ['webhooks:manage'] as const
