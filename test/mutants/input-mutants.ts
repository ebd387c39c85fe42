/** Mutants that let one client stop the service or get wrong responses. */
export const inputMutants = [
  {
    fault: 'input: matches a list of entity tags with one expression, in the square of its length',
    edits: [
      {
        file: 'src/http/response/entity-tag.ts',
        find: "if (ifMatch.trim() === '*' || isTagList(ifMatch)) return",
        replaceBy:
          'if (/^[ \\t]*(?:\\*|(?:(?:W\\/)?"[^"\\s]*"[ \\t]*(?:,[ \\t]*|$))+)[ \\t]*$/.test(ifMatch)) return',
      },
    ],
    tests: ['test/architecture/expressions.test.ts'],
  },
  {
    fault: 'input: splits Prefer by an expression that takes the square of its length',
    edits: [
      {
        file: 'src/http/request/preferences.ts',
        find: 'splitHeader(String(prefer)',
        replaceBy: "splitHeader(String(prefer).replace(/[ \\t]+$/, '')",
      },
    ],
    tests: ['test/http/linear-time.test.ts'],
  },
  {
    fault: 'input: answers HEAD with the body of a protocol error',
    edits: [
      {
        file: 'src/http/protocol/protocol.ts',
        find: "isHead ? '' : body",
        replaceBy: 'body',
      },
    ],
    tests: ['test/http/protocol.test.ts'],
  },
  {
    fault: 'input: links have the Host of a request whose target has another',
    edits: [
      {
        file: 'src/http/protocol/protocol.ts',
        find: '    headers.host = authority\n',
        replaceBy: '',
      },
    ],
    tests: ['test/http/protocol.test.ts'],
  },
  {
    fault: 'input: sends problem details to clients that prefer JSON',
    edits: [
      {
        file: 'src/http/response/send-error.ts',
        find: 'problem > 0 && problem >= json',
        replaceBy: 'problem > 0',
      },
    ],
    tests: ['src/http/response/send-error.test.ts'],
  },
  {
    fault: 'input: keeps a request id that begins as a key does',
    edits: [
      { file: 'src/http/request/request-id.ts', find: '(?!pet_)', replaceBy: '(?!pet_pet_)' },
    ],
    tests: ['test/http/keys-in-logs.test.ts'],
  },
  {
    fault: 'input: logs what the database says of a key',
    edits: [
      {
        file: 'src/telemetry/log.ts',
        find: 'escapeUnsafe(maskKeys(line))',
        replaceBy: 'escapeUnsafe(line)',
      },
    ],
    tests: ['test/http/keys-in-logs.test.ts'],
  },
  {
    fault: 'input: logs the value of a parameter that is a text',
    edits: [
      {
        file: 'src/telemetry/shown-target.ts',
        find: 'isShown(name, value) ? value : hidden',
        replaceBy: "isShown(name, value) || name === 'name' ? value : hidden",
      },
    ],
    tests: ['test/http/keys-in-logs.test.ts'],
  },
  {
    fault: 'input: rounds an integer that is nested',
    edits: [
      {
        file: 'src/contract/int64-json.ts',
        find: 'if (isExact && double !== 0) return double',
        replaceBy: 'if (isExact || double > 1e15) return double',
      },
    ],
    tests: ['src/contract/int64-json.test.ts', 'test/http/int64.test.ts'],
  },
  {
    fault: 'input: takes a number that is almost an integer for one',
    edits: [
      {
        file: 'src/contract/int64-json.ts',
        find: 'if (scale < 0) return Number.NaN',
        replaceBy: 'if (scale < 0) return double',
      },
    ],
    tests: ['src/contract/int64-json.test.ts', 'test/http/int64.test.ts'],
  },
  {
    fault: 'input: lets a member replace a prototype',
    edits: [
      {
        file: 'src/contract/int64-json.ts',
        find: "else if (name !== '__proto__')",
        replaceBy: "else if (name !== '')",
      },
    ],
    tests: ['src/contract/int64-json.test.ts'],
  },
  {
    fault: 'input: writes numbers that were rounded',
    edits: [
      {
        file: 'src/contract/int64-json.ts',
        find: "if (typeof value === 'number') requireExact(value)",
        replaceBy: "if (typeof value === 'number') requireExact(0)",
      },
    ],
    tests: ['src/contract/int64-json.test.ts'],
  },
  {
    fault: 'remembers a key beyond its revocation',
    edits: [
      {
        file: 'src/features/keys/key-cache.ts',
        find: 'last?.key === key && last.entries === entries',
        replaceBy: 'last?.key === key',
      },
    ],
    tests: ['src/features/keys/remembered-key.test.ts'],
  },
]
