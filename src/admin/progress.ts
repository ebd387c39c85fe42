/** What a part of the work has done: pets added, bytes copied, rows read, checks run. */
export type Progress = { unit: 'pets' | 'bytes' | 'rows' | 'checks'; done: number; total: number }

export type OnProgress = (progress: Progress) => void
