/** What would leave a client without help, or lead it astray, each a mutant as mutants.ts has them. */
export const messageMutants = [
  {
    fault: 'names: repeats unknown names in Petstore-Ignored as they came',
    edits: [
      {
        file: 'src/http/request/unknown-names.ts',
        find: 'encodeURIComponent(name.slice(0, shownMax).toWellFormed())',
        replaceBy: 'name.slice(0, shownMax)',
      },
    ],
    tests: ['src/http/request/unknown-names.test.ts'],
  },
  {
    fault: 'names: names every unknown member',
    edits: [
      {
        file: 'src/http/request/unknown-names.ts',
        find: 'if (unknown.push(name) === unknownMax) break\n  }\n  return unknown ?? none',
        replaceBy: 'unknown.push(name)\n  }\n  return unknown ?? none',
      },
      {
        file: 'src/http/request/unknown-names.ts',
        find: '.slice(0, unknownMax).join',
        replaceBy: '.join',
      },
    ],
    tests: ['src/http/request/unknown-names.test.ts'],
  },
  {
    fault: 'names: handling=strict refuses parameters only',
    edits: [
      {
        file: 'src/http/request/body.ts',
        find: 'const isRefused = isStrict && ignored.length > 0',
        replaceBy: 'const isRefused = false',
      },
    ],
    tests: ['src/http/request/unknown-names.test.ts'],
  },
  {
    fault: 'messages: takes any path for one that is nearly right',
    edits: [
      {
        file: 'src/http/paths.ts',
        find: 'found !== undefined && found.named > 0',
        replaceBy: 'found !== undefined',
      },
    ],
    tests: ['test/http/first-contact.test.ts'],
  },
  {
    fault: 'messages: repeats what was sent in place of a key',
    edits: [
      {
        file: 'src/features/keys/key-format.ts',
        find: "return 'This API key was mistyped: its checksum does not match.'",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source
        replaceBy: 'return `This API key was mistyped: ${text}.`',
      },
    ],
    tests: ['test/http/first-contact.test.ts', 'src/http/authenticate.test.ts'],
  },
  {
    fault: 'messages: tells the type of a member as its range',
    edits: [
      {
        file: 'src/http/request/describe-failure.ts',
        find: "if (isNumeric(schema) && typeof data === 'string') {",
        replaceBy: "if (isNumeric(schema) && typeof data === 'object') {",
      },
    ],
    tests: ['test/http/first-contact.test.ts'],
  },
  {
    fault: 'messages: names the last orders that hold a pet, not the first',
    edits: [
      {
        file: 'src/features/sales/queries.ts',
        find: ' order by id limit ?2`,',
        replaceBy: ' order by id desc limit ?2`,',
      },
    ],
    tests: ['src/features/pets/transitions.test.ts'],
  },
  {
    fault: 'names: a 304 names what was ignored',
    edits: [
      {
        file: 'src/http/response/respond.ts',
        find: "  'petstore-ignored',\n",
        replaceBy: '',
      },
    ],
    tests: ['src/http/request/unknown-names.test.ts'],
  },
  {
    fault: 'names: an ignored member makes another request of an Idempotency-Key',
    edits: [
      {
        file: 'src/http/idempotency.ts',
        find: 'encodeTagged([id, ...members])',
        replaceBy: 'encodeTagged([id, ...members, values])',
      },
    ],
    tests: ['src/http/request/unknown-names.test.ts'],
  },
  {
    fault: 'names: the last of equal preferences counts',
    edits: [
      {
        file: 'src/http/request/preferences.ts',
        find: 'if (!values.has(name)) values.set(name, value)',
        replaceBy: 'values.set(name, value)',
      },
    ],
    tests: ['src/http/request/preferences.test.ts'],
  },
  {
    fault: 'guides: a command has the id that the page shows',
    edits: [
      {
        file: 'docs/guides/selling-a-pet.md',
        find: '$store/store/orders/$finns_order/ship',
        replaceBy: '$store/store/orders/1/ship',
      },
    ],
    tests: ['test/documents/blocks.test.ts'],
  },
  {
    fault: 'guides: the service is started in the terminal of the other commands',
    edits: [
      {
        file: 'docs/operations/commands.md',
        find: 'In a second terminal, where it runs until Ctrl+C:',
        replaceBy: 'Start it:',
      },
    ],
    tests: ['test/documents/blocks.test.ts'],
  },
]
