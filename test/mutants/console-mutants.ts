/** What the console could do wrong, each a mutant as mutants.ts has them. */
export const consoleMutants = [
  {
    fault: 'console: serves files that the build does not name',
    edits: [
      {
        file: 'src/console/register-console.ts',
        find: 'if (file === undefined) throw',
        replaceBy:
          "if (file === undefined && path.includes('manifest')) return path\n    if (file === undefined) throw",
      },
    ],
    tests: ['src/console/register-console.test.ts'],
  },
  {
    fault: 'console: may load scripts of others',
    edits: [
      {
        file: 'src/console/register-console.ts',
        find: '"script-src \'self\'"',
        replaceBy: '"script-src *"',
      },
    ],
    tests: ['src/console/register-console.test.ts'],
  },
  {
    fault: 'console: does not notice a new build',
    edits: [
      {
        file: 'src/console/built-console.ts',
        find: 'build === undefined || changedMs !== found.mtimeMs',
        replaceBy: 'build === undefined',
      },
    ],
    tests: ['src/console/register-console.test.ts'],
  },
  {
    fault: 'console: is built for a store in memory',
    edits: [
      {
        file: 'src/console/start-console-build.ts',
        find: '!isInMemory(database) && ',
        replaceBy: '(database.path !== null) && ',
      },
    ],
    tests: ['src/console/start-console-build.test.ts'],
  },
  {
    fault: 'console: is built at the priority of the service',
    edits: [
      {
        file: 'src/console/start-console-build.ts',
        find: '  lowerPriority(child.pid)\n',
        replaceBy: '  lowerPriority(undefined)\n',
      },
    ],
    tests: ['src/console/start-console-build.test.ts'],
  },
  {
    fault: 'console: removes a row under the pointer',
    edits: [
      {
        file: 'console/src/table/record-window.ts',
        find: "? { record: row.record, mark: 'gone' }",
        replaceBy: '? { record: row.record }',
      },
    ],
    tests: ['test/console/record-window.test.ts'],
  },
  {
    fault: 'console: holds all rows that were scrolled past',
    edits: [
      {
        file: 'console/src/table/record-window.ts',
        find: 'Math.max(0, all.length - rowsMax)',
        replaceBy: 'Math.max(0, all.length - all.length)',
      },
    ],
    tests: ['test/console/record-window.test.ts'],
  },
  {
    fault: 'console: rounds an id that is typed',
    edits: [
      {
        file: 'console/src/shared/int64-text.ts',
        find: 'return id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : id',
        replaceBy: 'return Number(id)',
      },
    ],
    tests: ['test/console/texts.test.ts'],
  },
  {
    fault: 'console: keeps the key beyond the tab',
    edits: [
      {
        file: 'console/src/session/session.ts',
        find: 'sessionStorage.setItem(storageName, JSON.stringify(begun))',
        replaceBy:
          'sessionStorage.setItem(storageName, JSON.stringify(begun))\n  localStorage.setItem(storageName, JSON.stringify(begun))',
      },
    ],
    tests: ['test/browser/console.test.ts'],
  },
  {
    fault: 'console: overwrites what somebody else has changed',
    edits: [
      {
        file: 'console/src/pets/pet-saver.ts',
        find: 'client.pets.update(id, change, { ifMatch })',
        replaceBy: 'client.pets.update(id, change, ifMatch ? {} : {})',
      },
    ],
    tests: ['test/browser/console.test.ts'],
  },
]
