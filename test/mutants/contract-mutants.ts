/** Mutants of the published document and of what it promises. */
export const contractMutants = [
  {
    fault: 'contract: names the scopes of a key unasked',
    edits: [
      {
        file: 'src/http/route.ts',
        find: 'if (preferences.wantsScopes) reply',
        replaceBy: 'reply',
      },
    ],
    tests: ['src/http/authenticate.test.ts'],
  },
  {
    fault: 'contract: answers 304 with the scopes of the key that asked',
    edits: [
      {
        file: 'src/http/response/respond.ts',
        find: "  'petstore-scopes',\n",
        replaceBy: '',
      },
    ],
    tests: ['src/http/authenticate.test.ts'],
  },
  {
    fault: 'contract: sets a stock that changed since its tag was read',
    edits: [
      {
        file: 'src/features/sales/update-inventory.ts',
        find: 'if (expected) await requireUnchanged',
        replaceBy: 'if (expected && quantity < 0) await requireUnchanged',
      },
    ],
    tests: ['test/interface/entity-tags.test.ts'],
  },
  {
    fault: 'contract: deletes a category that changed since its tag was read',
    edits: [
      {
        file: 'src/features/if-match.ts',
        find: '|| isDeepStrictEqual(locked, expected)',
        replaceBy: "|| typeof expected === 'object'",
      },
    ],
    tests: ['test/interface/entity-tags.test.ts'],
  },
  {
    fault: 'contract: shows the stock of a pet without a status',
    edits: [
      {
        file: 'src/features/sales/queries.ts',
        find: '(row[2] === null ? undefined : stockOf(row))',
        replaceBy: "stockOf(row[2] === null ? [row[0] ?? null, row[1] ?? null, 'sold'] : row)",
      },
    ],
    tests: ['src/features/sales/get-inventory.test.ts', 'test/interface/store-model.test.ts'],
  },
  {
    fault: 'contract: has verify look for categories that were deleted',
    edits: [
      {
        file: 'src/features/categories/storage.ts',
        find: '      mayBeDeleted: true,\n',
        replaceBy: '',
      },
    ],
    tests: ['src/features/categories/delete-category.test.ts'],
  },
  {
    fault: 'contract: makes generated clients require the quantity of an order',
    edits: [
      {
        file: 'src/features/sales/contract/orders.ts',
        find: '        absentMeans: 1,\n',
        replaceBy: '        absentMeans: 1,\n        default: 1,\n',
      },
    ],
    tests: ['test/interface/generated-types.full.test.ts'],
  },
  {
    fault: 'contract: names the other environment first',
    edits: [
      {
        file: 'src/openapi/document.ts',
        find: '      serverOf(environment, baseUrl),\n',
        replaceBy: '',
      },
      {
        file: 'src/openapi/document.ts',
        find: '[serverOf(siblings[environment], siblingUrl)]),\n',
        replaceBy:
          '[serverOf(siblings[environment], siblingUrl)]),\n      serverOf(environment, baseUrl),\n',
      },
    ],
    tests: ['test/interface/document.test.ts'],
  },
  {
    fault: 'contract: sends test data to the other environment',
    edits: [
      {
        file: 'src/config/config.ts',
        find: '...(hasSibling ? { siblingUrl } : {}),',
        replaceBy: 'siblingUrl,',
      },
    ],
    tests: ['test/interface/document.test.ts'],
  },
  {
    fault: 'contract: serves health only beside the base address',
    edits: [{ file: 'src/app/health.ts', find: "['', '/v1']", replaceBy: "['']" }],
    tests: ['src/features/health/health.test.ts'],
  },
  {
    fault: 'contract: ignores after',
    edits: [
      {
        file: 'src/http/request/parameters.ts',
        find: 'page: { limit, sort, after }, list, ignored }',
        replaceBy: 'page: { limit, sort, after: undefined }, list, ignored }',
      },
    ],
    tests: ['src/http/request/paging-after.test.ts'],
  },
  {
    fault: 'contract: accepts after and a cursor with different positions',
    edits: [
      {
        file: 'src/http/request/parameters.ts',
        find: 'if (after !== undefined && after !== place)',
        replaceBy: 'if (after === -1n)',
      },
    ],
    tests: ['src/http/request/paging-after.test.ts'],
  },
  {
    fault: 'contract: makes after a part of the identity of the list',
    edits: [
      {
        file: 'src/http/request/parameters.ts',
        find: "sort = 'id', after, cursor, ...filters } = query\n",
        replaceBy: "sort = 'id', cursor, ...filters } = query\n  const { after } = filters\n",
      },
    ],
    tests: ['src/http/request/paging-after.test.ts'],
  },
  {
    fault: 'contract: accepts lone surrogates',
    edits: [
      {
        file: 'src/http/request/schema.ts',
        find: 'data: string) => data.isWellFormed()',
        replaceBy: 'data: string) => data.length > 0',
      },
    ],
    tests: ['src/contract/text-rules.test.ts', 'test/http/strings.test.ts'],
  },
  {
    fault: 'contract: refuses a name that begins with a no-break space',
    edits: [
      {
        file: 'src/contract/text-rules.ts',
        find: 'textPattern = `^[^\\\\S',
        replaceBy: 'textPattern = `^[^\\\\S\\\\xA0',
      },
    ],
    tests: ['src/contract/text-rules.test.ts'],
  },
  {
    fault: 'contract: treats an order of 1 unlike one without a quantity',
    edits: [
      { file: 'src/http/idempotency.ts', find: '?? schema.absentMeans', replaceBy: '?? schema' },
    ],
    tests: ['src/http/idempotency.test.ts'],
  },
  {
    fault: 'contract: gives two codings of the document the same tag',
    edits: [
      {
        file: 'src/http/response/compressible.ts',
        find: "const suffix = coding === 'identity'",
        replaceBy: "const suffix = coding !== ''",
      },
    ],
    tests: ['src/openapi/register.test.ts'],
  },
  {
    fault: 'contract: omits Origin from Vary',
    edits: [
      {
        file: 'src/http/response/compressible.ts',
        find: 'vary: vary === undefined',
        replaceBy: 'vary: vary !== 0',
      },
    ],
    tests: ['src/openapi/register.test.ts'],
  },
]
