/** The most demo pets that are added at once. */
export const seedCountMax = 10_000_000
