/** Not part of "default": who may manage keys is decided key by key. */
export const scopes = ['keys:manage'] as const
