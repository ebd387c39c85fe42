/** Mutants of a store in a file: damage, moved files, a full disk, the clock. */
export const fileMutants = [
  {
    fault: 'sends whatever text a damaged page holds',
    edits: [
      {
        file: 'src/features/pets/queries.ts',
        find: "if (typeof record === 'string' && soundRecord.test(record))",
        replaceBy: "if (typeof record === 'string')",
      },
    ],
    tests: ['test/faults/damaged-rows.test.ts'],
  },
  {
    fault: 'a damaged row fails its neighbours too',
    edits: [
      {
        file: 'src/db/damaged-row.ts',
        find: 'if (error instanceof DamagedRow) return error\n',
        replaceBy: '',
      },
    ],
    tests: ['test/faults/damaged-rows.test.ts'],
  },
  {
    fault: 'the third write that meets a damaged page ends the process',
    edits: [
      {
        file: 'src/db/sqlite/serving/writer.ts',
        find: 'if (isDamage(error)) return commitApart(jobs, error)\n',
        replaceBy: '',
      },
    ],
    tests: ['test/faults/damaged-rows.test.ts'],
  },
  {
    fault: 'does not check that its files are still at their paths',
    edits: [
      {
        file: 'src/db/sqlite/serving/writer.ts',
        find: 'if (change !== undefined) throw new FilesChanged(change)\n',
        replaceBy: '',
      },
    ],
    tests: ['src/db/sqlite/serving/served-files.test.ts'],
  },
  {
    fault: 'leaves the log of a moved database where it was',
    edits: [
      {
        file: 'src/db/sqlite/serving/writer.ts',
        find: 'if (isLogForeign(log)) return',
        replaceBy: 'return',
      },
    ],
    tests: ['src/db/sqlite/serving/served-files.test.ts'],
  },
  {
    fault: 'serves a file that another process has open by another name',
    edits: [
      {
        file: 'src/db/sqlite/serving/db.ts',
        find: '    refuseOpenElsewhere(path, lock)\n',
        replaceBy: '',
      },
    ],
    tests: ['test/faults/start-beside.test.ts'],
  },
  {
    fault: 'mistakes the log of a killed process for a shared one',
    edits: [
      {
        file: 'src/db/sqlite/locking/lock.ts',
        find: 'return fstatSync(descriptor).size >= extended',
        replaceBy: 'return true',
      },
    ],
    tests: ['test/faults/start-beside.test.ts'],
  },
  {
    fault: 'does not start beside a command that uses the database',
    edits: [
      {
        file: 'src/db/sqlite/locking/lock.ts',
        find: 'if (isNew || !isLogShared(path)) openAlone(path, otherMaxMs)',
        replaceBy: 'openAlone(path, otherMaxMs)',
      },
    ],
    tests: ['test/faults/start-beside.test.ts'],
  },
  {
    fault: 'starts beside a service whose lock file was removed',
    edits: [
      {
        file: 'src/db/sqlite/locking/lock.ts',
        find: 'if (isNew || !isLogShared(path))',
        replaceBy: 'if (!isLogShared(path))',
      },
    ],
    tests: ['test/faults/moved-database.test.ts'],
  },
  {
    fault: 'does not start while a log cannot be checkpointed',
    edits: [
      {
        file: 'src/db/sqlite/serving/empty-log.ts',
        find: "if (failure === 'full' || failure === 'busy') return obstacles[failure]",
        replaceBy: "if (failure === 'full') return obstacles[failure]",
      },
    ],
    tests: ['test/faults/start-beside.test.ts'],
  },
  {
    fault: 'serves a file with hard links',
    edits: [
      {
        file: 'src/db/sqlite/locking/prepare.ts',
        find: 'stat.nlink > 1',
        replaceBy: 'stat.nlink > 9',
      },
    ],
    tests: ['test/faults/moved-database.test.ts'],
  },
  {
    fault: 'does not start on a full disk after a kill',
    edits: [
      {
        file: 'src/db/sqlite/serving/empty-log.ts',
        find: "if (failure === 'full' || failure === 'busy') return obstacles[failure]\n",
        replaceBy: '',
      },
    ],
    tests: ['test/faults/full-disk.test.ts'],
  },
  {
    fault: 'creates any directory for a database',
    edits: [
      {
        file: 'src/db/sqlite/locking/prepare.ts',
        find: 'if (directory !== resolve(defaultDirectory))',
        replaceBy: "if (directory === '')",
      },
    ],
    tests: ['src/db/sqlite/serving/db.test.ts'],
  },
  {
    fault: 'follows a system clock that is set back',
    edits: [
      {
        file: 'src/context/context.ts',
        find: 'return Math.floor(leastMs)',
        replaceBy: 'return shownMs',
      },
    ],
    tests: ['src/features/sales/expire-orders.test.ts'],
  },
]
