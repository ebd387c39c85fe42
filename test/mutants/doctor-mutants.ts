/** Mutants of `petstore doctor`, and of the first line of a new production store. */
export const doctorMutants = [
  {
    fault: 'doctor: a server with fsync off is in order',
    edits: [
      {
        file: 'src/admin/doctor/server.ts',
        find: "if (settings.fsync === 'off') {",
        replaceBy: "if (settings.fsync === 'none') {",
      },
    ],
    tests: ['src/admin/doctor/server.test.ts'],
  },
  {
    fault: 'doctor: a disk that syncs in no time is in order',
    edits: [
      {
        file: 'src/admin/doctor/disk.ts',
        find: 'if (middleMs < believableMinMs) {',
        replaceBy: 'if (middleMs < 0) {',
      },
    ],
    tests: ['src/admin/doctor/doctor.test.ts'],
  },
  {
    fault: 'doctor: recovers the log that a killed process left',
    edits: [
      {
        file: 'src/db/sqlite/inspect.ts',
        find: "['sharedIndex', 'read'] as const",
        replaceBy: "['existing', 'read'] as const",
      },
    ],
    tests: ['test/cli/doctor.test.ts'],
  },
  {
    fault: 'doctor: exits with 0 on errors',
    edits: [
      {
        file: 'src/cli/doctor.ts',
        find: 'isWrong ? exitCodes.finding : 0',
        replaceBy: 'isWrong ? 0 : 0',
      },
    ],
    tests: ['test/cli/doctor.test.ts'],
  },
  {
    fault: 'doctor: says that no service runs while one does',
    edits: [
      {
        file: 'src/db/sqlite/inspect.ts',
        find: 'const holder = lockHolderOf(lock)',
        replaceBy: 'if (lock) return undefined\n  const holder = lockHolderOf(lock)',
      },
    ],
    tests: ['test/cli/doctor.test.ts'],
  },
  {
    fault: 'a start creates a production store without a word',
    edits: [
      {
        file: 'src/app/app.ts',
        find: 'if (newStore !== undefined) log.warn(newStore)',
        replaceBy: '',
      },
    ],
    tests: ['src/app/new-store.test.ts'],
  },
]
