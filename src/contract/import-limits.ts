/** The most rows, and the most bytes, of an imported file; settings may allow less. */
export const importRowsMax = 1_000_000
export const importBytesMax = 1_073_741_824
