/** Mutants that let the log stop the service, swell it, or be forged. */
export const logMutants = [
  {
    fault: 'log: keeps every line for a reader that does not read',
    edits: [
      {
        file: 'src/telemetry/log-queue.ts',
        find: 'const waitingMaxLength = 1_048_576',
        replaceBy: 'const waitingMaxLength = 1_048_576_000',
      },
    ],
    tests: ['src/telemetry/log-queue.test.ts'],
  },
  {
    fault: 'log: writes to a terminal block the service',
    edits: [
      {
        file: 'src/telemetry/log-output.ts',
        find: 'handle?.setBlocking?.(false)',
        replaceBy: 'handle?.setBlocking?.(true)',
      },
    ],
    tests: ['test/cli/log-output.test.ts'],
  },
  {
    fault: 'log: an end does not write the lines that wait',
    edits: [
      {
        file: 'src/telemetry/log-queue.ts',
        find: '      else sendNext()\n',
        replaceBy: '',
      },
    ],
    tests: ['src/telemetry/log-queue.test.ts'],
  },
  {
    fault: 'log: a target with quotation marks adds members to its line',
    edits: [
      {
        file: 'src/telemetry/escape.ts',
        find: 'plain.test(text) ?',
        replaceBy: 'plain.test(text) || text.length > 0 ?',
      },
    ],
    tests: ['test/http/access-log.test.ts'],
  },
  {
    fault: 'log: passes control characters of an error on to the terminal',
    edits: [
      {
        file: 'src/telemetry/log.ts',
        find: 'return escapeUnsafe(text)',
        replaceBy: 'return escapeUnsafe(text) && text',
      },
    ],
    tests: ['test/http/access-log.test.ts'],
  },
  {
    fault: 'log: shows a key in the target of a request',
    edits: [
      {
        file: 'src/telemetry/access-log.ts',
        find: 'quote(maskKeys(url, authorization))',
        replaceBy: 'quote(url)',
      },
    ],
    tests: ['test/http/keys-in-logs.test.ts'],
  },
  {
    fault: 'log: does not name the key that lacks a scope',
    edits: [
      {
        file: 'src/http/route.ts',
        find: '    request.caller = caller\n    checkScope(caller, operation.scope)\n',
        replaceBy: '    checkScope(caller, operation.scope)\n    request.caller = caller\n',
      },
    ],
    tests: ['test/http/access-log.test.ts'],
  },
  {
    fault: 'log: has a line for every health probe',
    edits: [
      {
        file: 'src/telemetry/access-log.ts',
        find: '&& !healthPattern.test(url)',
        replaceBy: '&& healthPattern.test(url) !== undefined',
      },
    ],
    tests: ['test/http/access-log.test.ts'],
  },
]
