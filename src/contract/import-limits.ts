/** The most rows, rows that change a pet, and bytes, of one import. */
export const importRowsMax = 1_000
export const importChangesMax = 200
export const importBytesMax = 2_097_152
