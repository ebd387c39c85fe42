/** The largest fixture, as JSON: some 60,000 pets. A larger one would block the store for long while it is parsed. */
export const fixtureSizeMaxBytes = 4 * 1_024 * 1_024
