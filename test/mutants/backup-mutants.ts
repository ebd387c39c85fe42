/** Mutants of backups and restores. */
export const backupMutants = [
  {
    fault: 'gives a backup its name before it is synced',
    file: 'src/db/files/place-file.ts',
    find: '  syncFile(file)\n',
    replaceBy: '',
    tests: ['src/db/files/place-file.test.ts'],
  },
  {
    fault: 'verifies a backup before its last page is written',
    edits: [
      {
        file: 'src/admin/backup/write-backup.ts',
        find: '    const { manifest, digests } = await describeCopy(storage, request, read, onProgress)\n',
        replaceBy:
          '    const results = await verifyIntact(storage, file, name, onProgress)\n    const { manifest, digests } = await describeCopy(storage, request, read, onProgress)\n',
      },
      {
        file: 'src/admin/backup/write-backup.ts',
        find: '    const results = await verifyIntact(storage, file, subject, onProgress)\n',
        replaceBy: '',
      },
    ],
    tests: ['src/admin/backup/write-backup.test.ts'],
  },
  {
    fault: 'restores without the ids that the old store has assigned',
    file: 'src/admin/restore/write-store.ts',
    find: '        await store.skipIds(name, idAbove(used > own ? used : own, skippedIds))\n',
    replaceBy: '',
    tests: ['test/cli/restore.test.ts'],
  },
  {
    fault: 'a restore goes on with the positions of the old feed of events',
    file: 'src/admin/restore/write-store.ts',
    find: '      await storage.log?.restart(store)\n',
    replaceBy: '',
    tests: ['src/features/events/new-feed.test.ts'],
  },
  {
    fault: 'does not compare the rows of a backup with their digests',
    file: 'src/admin/backup/open-backup.ts',
    find: '  if (wrong.length === 0) return\n',
    replaceBy: '  if (wrong.length < 99) return\n',
    tests: ['test/cli/backup.test.ts'],
  },
  {
    fault: 'replaces a store while a service has it',
    file: 'src/db/sqlite/destination.ts',
    find: '  held.adopt(holdAlone(path), ({ release }) => release())\n',
    replaceBy: '',
    tests: ['test/cli/restore.test.ts'],
  },
  {
    fault: 'makes backups that every user of the machine can read',
    file: 'src/db/files/place-file.ts',
    find: "openSync(file, 'w', 0o600)",
    replaceBy: "openSync(file, 'w', 0o644)",
    tests: ['test/cli/backup.test.ts'],
  },
  {
    fault: 'restores over a damaged store without the ids that its log tells',
    file: 'src/db/sqlite/loss/assigned-ids.ts',
    find: '  const told = recordedIds({ ...readTraces(path), fileRow: undefined })\n',
    replaceBy: '  const told: LastIds = { keys: 1n }\n',
    tests: ['test/cli/restore-damaged.full.test.ts'],
  },
  {
    fault: 'restores over a damaged store without room for ids that its log does not tell',
    file: 'src/db/sqlite/loss/assigned-ids.ts',
    find: 'skippedIds === undefined ? unknownIdsMargin : 0n',
    replaceBy: '0n',
    tests: ['test/cli/restore-damaged.full.test.ts'],
  },
]
