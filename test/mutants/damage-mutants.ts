/** Mutants of noticing damage: the witness, the log and its verdict. */
export const damageMutants = [
  {
    fault: 'writes the witness after the answer',
    file: 'src/db/sqlite/serving/writer.ts',
    find: '      commits.witness()\n',
    replaceBy: '      setImmediate(commits.witness)\n',
    tests: ['src/db/sqlite/loss/witness.test.ts'],
  },
  {
    fault: 'ignores the witness',
    file: 'src/db/sqlite/loss/find-loss.ts',
    find: 'own.some(({ commits }) => commits > visible.commits)',
    replaceBy: 'false',
    tests: ['test/faults/find-loss.test.ts'],
  },
  {
    fault: 'opens the log before it is judged',
    edits: [
      {
        file: 'src/db/sqlite/open-store.ts',
        find: '    const lock = opened.adopt(enterDatabase(',
        replaceBy:
          "    connect(path).exec('select * from sqlite_schema')\n    const lock = opened.adopt(enterDatabase(",
      },
      {
        file: 'src/db/sqlite/locking/lock.ts',
        find: '    requireWhole(path)\n    side',
        replaceBy:
          'new DatabaseSync(path).exec("pragma wal_checkpoint(truncate)")\n    requireWhole(path)\n    side',
      },
    ],
    tests: ['test/cli/damaged-log.test.ts'],
  },
  {
    fault: 'refuses a torn last commit',
    file: 'src/db/sqlite/loss/read-log.ts',
    find: 'if (isAfterLateCommit && frame.isSound) contents.isLossy = true',
    replaceBy: 'contents.isLossy = true',
    tests: ['test/faults/find-loss.test.ts'],
  },
  {
    fault: 'drops what is behind a bad frame of the log',
    file: 'src/db/sqlite/loss/find-loss.ts',
    find: 'log?.isLossy === true',
    replaceBy: 'false',
    tests: ['test/faults/find-loss.test.ts'],
  },
  {
    fault: 'opens a log again that was damaged while it was served',
    file: 'src/db/sqlite/serving/writer.ts',
    find: '    requireNoLoss(files)\n',
    replaceBy: '',
    tests: ['src/db/sqlite/loss/witness.test.ts'],
  },
  {
    fault: 'recover assigns the ids of lost pets again',
    file: 'src/db/doors/recover.ts',
    find: '      await connection.skipIds(name, idAbove(highest, isComplete ? 0n : unknownIdsMargin))\n',
    replaceBy: '',
    tests: ['test/cli/recover.test.ts'],
  },
  {
    fault: 'recover gives up a table with one damaged page',
    file: 'src/db/sqlite/copying/salvage-rows.ts',
    find: 'low === high || salvaged',
    replaceBy: 'low !== 0n || salvaged',
    tests: ['test/cli/recover.test.ts'],
  },
  {
    fault: 'opens a store that is half replaced',
    file: 'src/db/sqlite/locking/replace-store.ts',
    find: 'const [found] = listNew(path)\n',
    replaceBy: 'const [found] = listNew(path).slice(1)\n',
    tests: ['test/faults/replace-store.test.ts'],
  },
  {
    fault: 'leaves a store half replaced where a file cannot be renamed',
    file: 'src/db/sqlite/locking/replace-store.ts',
    find: '    putBack(path, error)\n',
    replaceBy: '',
    tests: ['test/faults/replace-store.test.ts'],
  },
  {
    fault: 'a service keeps commands out, and commands a service',
    file: 'src/db/sqlite/locking/lock.ts',
    find: "purpose === 'serve' ? 'begin immediate'",
    replaceBy: "purpose === 'serve' ? 'begin exclusive'",
    tests: ['test/faults/enter-database.test.ts'],
  },
]
