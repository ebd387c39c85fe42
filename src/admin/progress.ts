/** What a part of the work has done: pets added, bytes copied, rows read, checks run. */
export type Progress = { unit: 'pets' | 'bytes' | 'rows' | 'checks'; done: number; total: number }

export type OnProgress = (progress: Progress) => void

/** The callback for work that reports the number of rows so far. */
export const ofRows = (onProgress: OnProgress) => (done: number, total: number) =>
  onProgress({ unit: 'rows', done, total })
