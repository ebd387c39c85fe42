export const exactFetch = fetch
