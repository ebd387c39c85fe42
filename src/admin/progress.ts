/** What a part of the work has done: bytes copied, rows read back, checks run. */
export type Progress = { unit: 'bytes' | 'rows' | 'checks'; done: number; total: number }

export type OnProgress = (progress: Progress) => void
