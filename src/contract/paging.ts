/** Interface 1.0.0, section 8. */
export const limitMin = 1
export const limitMax = 100
export const limitDefault = 20

/** Longer than a cursor with the key of a name in any script; the form may change. */
export const cursorMax = 2_048
