/** What the console could do wrong, each a mutant as mutants.ts has them. */
export const consoleMutants = [
  {
    fault: 'console: serves files that the build does not name',
    edits: [
      {
        file: 'src/console/console-server.ts',
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
        file: 'src/console/console-server.ts',
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
        file: 'src/console/builds-console.ts',
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
        file: 'console/src/base/int64-text.ts',
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
        file: 'console/src/api/session.ts',
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
  {
    fault: 'console: offers nothing where more is new than a look shows',
    edits: [
      {
        file: 'console/src/table/record-window.ts',
        find: 'unknown.at(-1) !== last) return false',
        replaceBy: 'unknown.length > 0) return false',
      },
    ],
    tests: ['test/console/record-window.test.ts'],
  },
  {
    fault: 'console: says that stock runs out which staff set aside',
    edits: [
      {
        file: 'console/src/overview/low-stock.ts',
        find: "const isSetAside = status === 'pending' && open.length === 0",
        replaceBy: "const isSetAside = status !== 'pending' && open.length < 0",
      },
    ],
    tests: ['test/console/orders.test.ts'],
  },
  {
    fault: 'console: says that an order took a pet which staff sold',
    edits: [
      {
        file: 'console/src/orders/describe-taken.ts',
        find: "const isDelivered = pet?.status === 'sold' && lastDelivered !== undefined",
        replaceBy: 'const isDelivered = lastDelivered !== undefined',
      },
    ],
    tests: ['test/console/orders.test.ts'],
  },
  {
    fault: 'console: throws typed text away where another row is opened',
    edits: [
      {
        file: 'console/src/table/use-opened.ts',
        find: 'leaveForm(() => setOpened({ record }))',
        replaceBy: 'setOpened({ record })',
      },
    ],
    tests: ['test/browser/console-forms.full.test.ts'],
  },
  {
    fault: 'console: throws typed text away where another page is opened',
    edits: [
      {
        file: 'console/src/frame/leaving-question.tsx',
        find: 'next.pathname === current.pathname) return false',
        replaceBy: 'next.pathname !== current.pathname) return false',
      },
    ],
    tests: ['test/browser/console-forms.full.test.ts'],
  },
  {
    fault: 'console: closes another form when a save ends late',
    edits: [
      {
        file: 'console/src/editor/record-editor.tsx',
        find: 'if (isShown.current) return',
        replaceBy: 'if (isShown.current || result) return',
      },
    ],
    tests: ['test/browser/console-forms.full.test.ts'],
  },
  {
    fault: 'console: says nothing of a save that is refused after its form was left',
    edits: [
      {
        file: 'console/src/editor/record-editor.tsx',
        find: 'if (reason !== undefined) sayProblem',
        replaceBy: "if (reason === '') sayProblem",
      },
    ],
    tests: ['test/browser/console-forms.full.test.ts'],
  },
  {
    fault: 'console: offers in a second conflict as mine what others changed',
    edits: [
      {
        file: 'console/src/editor/record-editor.tsx',
        find: 'if (versions) setBase(versions.draftOf(theirRecord))',
        replaceBy: 'if (versions && !theirRecord) setBase(draft)',
      },
    ],
    tests: ['test/browser/console-forms.full.test.ts'],
  },
  {
    fault: 'console: passes over a typed category that does not exist',
    edits: [
      {
        file: 'console/src/pets/pet-draft.ts',
        find: "return typedCategory.trim() === ''",
        replaceBy: "return typedCategory !== '' || typedCategory.trim() === ''",
      },
    ],
    tests: ['test/browser/console-pet-form.full.test.ts'],
  },
  {
    fault: 'console: saves a pet by the held Enter that opened it',
    edits: [
      {
        file: 'console/src/pets/pet-form.tsx',
        find: ' && !event.repeat) submit()',
        replaceBy: ') submit()',
      },
    ],
    tests: ['test/browser/console-pet-form.full.test.ts'],
  },
]
