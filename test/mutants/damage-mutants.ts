/** Mutants of noticing damage: the witness, the log and its verdict, the mark of a serving process. */
export const damageMutants = [
  {
    fault: 'writes the witness after the answer',
    edits: [
      {
        file: 'src/db/sqlite/writer.ts',
        find: '      commits.witness()\n',
        replaceBy: '      setImmediate(commits.witness)\n',
      },
    ],
    tests: ['src/db/sqlite/witness.test.ts'],
  },
  {
    fault: 'ignores the witness',
    edits: [
      {
        file: 'src/db/sqlite/files/find-loss.ts',
        find: '    lackingCommits(found) ??\n',
        replaceBy: '',
      },
    ],
    tests: ['test/faults/judge-files.test.ts'],
  },
  {
    fault: 'opens the log before it is judged',
    edits: [
      {
        file: 'src/db/sqlite/db.ts',
        find: "    lock = enterDatabase(path, 'serve')\n",
        replaceBy:
          "    connect(path, 'create').all('select * from sqlite_schema')\n    lock = enterDatabase(path, 'serve')\n",
      },
      {
        file: 'src/db/sqlite/lock.ts',
        find: '    const damage = judgeFiles(path)\n    if (damage) throw damage\n    side',
        replaceBy:
          'new DatabaseSync(path).exec("pragma wal_checkpoint(truncate)")\n    const damage = judgeFiles(path)\n    if (damage) throw damage\n    side',
      },
    ],
    tests: ['test/cli/damaged-log.test.ts'],
  },
  {
    fault: 'refuses a torn last commit',
    edits: [
      {
        file: 'src/db/sqlite/files/read-log.ts',
        find: 'if (isAfterLateCommit && frame.isSound) contents.isLossy = true',
        replaceBy: 'contents.isLossy = true',
      },
    ],
    tests: ['test/faults/judge-files.test.ts'],
  },
  {
    fault: 'drops what is behind a bad frame of the log',
    edits: [
      {
        file: 'src/db/sqlite/files/find-loss.ts',
        find: '    damagedLog(found) ??\n',
        replaceBy: '',
      },
    ],
    tests: ['test/faults/judge-files.test.ts'],
  },
  {
    fault: 'takes a database that was copied without its log for a whole one',
    edits: [
      {
        file: 'src/db/sqlite/writer.ts',
        find: '    counted.mark(true)\n',
        replaceBy: '',
      },
    ],
    tests: ['test/cli/damaged-log.test.ts'],
  },
  {
    fault: 'leaves the mark of a serving process in a database that was moved',
    edits: [
      {
        file: 'src/db/sqlite/writer.ts',
        find: '      commits?.mark(false)\n      if (moved)',
        replaceBy: '      if (moved)',
      },
    ],
    tests: ['test/faults/moved-database.test.ts'],
  },
  {
    fault: 'a service keeps commands out, and commands a service',
    edits: [
      {
        file: 'src/db/sqlite/lock.ts',
        find: "purpose === 'serve' ? 'begin immediate'",
        replaceBy: "purpose === 'serve' ? 'begin exclusive'",
      },
    ],
    tests: ['test/faults/enter-database.test.ts'],
  },
]
