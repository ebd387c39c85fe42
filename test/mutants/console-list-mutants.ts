/** What the lists of the console, its keys and its focus could do wrong, each a mutant as mutants.ts has them. */
export const consoleListMutants = [
  {
    fault: 'console lists: shows what a look from before a change found',
    edits: [
      {
        file: 'console/src/table/use-record-list.ts',
        find: 'if (isOwn(change)) void queryClient',
        replaceBy: 'if (!isOwn(change)) void queryClient',
      },
    ],
    tests: ['test/browser/console-lists.full.test.ts'],
  },
  {
    fault: 'console lists: shows the rows of other filters where a list is refused',
    edits: [
      {
        file: 'console/src/table/use-record-list.ts',
        find: 'const isRefused = !isCurrent && start.isError',
        replaceBy: 'const isRefused = state === undefined && start.isError',
      },
    ],
    tests: ['test/browser/console-lists.full.test.ts'],
  },
  {
    fault: 'console lists: drops a character typed while the address takes the last one',
    edits: [
      {
        file: 'console/src/filters/use-typed-filter.ts',
        find: 'if (value === sent.current) return',
        replaceBy: 'if (value === typed) return',
      },
    ],
    tests: ['test/browser/console-lists.full.test.ts'],
  },
  {
    fault: 'console lists: shows the count of other filters',
    edits: [
      {
        file: 'console/src/api/counts.ts',
        find: "queryKey: ['count', ...name],",
        replaceBy: "queryKey: ['count', ...name],\n    placeholderData: (last) => last,",
      },
    ],
    tests: ['test/browser/console-lists.full.test.ts'],
  },
  {
    fault: 'console lists: keys act behind an open menu',
    edits: [
      {
        file: 'console/src/shared/shortcuts.ts',
        find: '[role="dialog"], [role="alertdialog"]',
        replaceBy: '[role="dialog"][aria-modal="true"]',
      },
    ],
    tests: ['test/browser/console-focus.full.test.ts'],
  },
  {
    fault: 'console lists: keys act on a row that is out of sight',
    edits: [
      {
        file: 'console/src/table/record-table.tsx',
        find: 'const isInView = middle > 0 && middle < clientHeight - headHeight',
        replaceBy: 'const isInView = middle > 0 || clientHeight > headHeight',
      },
    ],
    tests: ['test/browser/console-focus.full.test.ts'],
  },
  {
    fault: 'console lists: a removed button takes the focus with it',
    edits: [
      {
        file: 'console/src/shared/focus-page.ts',
        find: 'else keepFocus()',
        replaceBy: 'else focused = null',
      },
    ],
    tests: ['test/browser/console-focus.full.test.ts'],
  },
  {
    fault: 'console lists: a button has lost the focus once its request was refused',
    edits: [
      {
        file: 'console/src/shared/focus-page.ts',
        find: 'focused.focus({ preventScroll: true })',
        replaceBy: 'focused = null',
      },
    ],
    tests: ['test/browser/console-focus.full.test.ts'],
  },
  {
    fault: 'console lists: an open order goes back to how it was opened',
    edits: [
      {
        file: 'console/src/orders/use-latest-order.ts',
        find: 'queryClient.setQueryData(keyOf(row), row)',
        replaceBy: 'queryClient.getQueryData(keyOf(row))',
      },
    ],
    tests: ['test/browser/console-focus.full.test.ts'],
  },
  {
    fault: 'console lists: a tap needs a click that is a pointer event',
    edits: [
      {
        file: 'console/src/table/table-row.tsx',
        find: "if (pointer.current === 'touch') open(record)",
        replaceBy: "if (pointer.current === 'pen') open(record)",
      },
    ],
    tests: ['test/browser/console-focus.full.test.ts'],
  },
  {
    fault: 'console lists: dialogs are within reach after the key has ended',
    edits: [
      {
        file: 'console/src/sign-in/session-gate.module.css',
        find: 'body:has(.over) > [data-portal]',
        replaceBy: 'body:has(.none) > [data-portal]',
      },
    ],
    tests: ['test/browser/console-focus.full.test.ts'],
  },
  {
    fault: 'console lists: asks on with a key that has ended',
    edits: [
      {
        file: 'console/src/api/query-client.ts',
        find: 'endedBecause === undefined ? undefined : false',
        replaceBy: 'endedBecause === undefined ? undefined : true',
      },
    ],
    tests: ['test/browser/console-focus.full.test.ts'],
  },
]
