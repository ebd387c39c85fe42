/** Mutants of the pages for people. */
export const pageMutants = [
  {
    fault: 'contract: the reference page takes a key that the server refuses',
    edits: [
      {
        file: 'src/pages/assets/reference.js',
        find: 'if (response.ok || response.status === 403) {',
        replaceBy: 'if (response.status < 500) {',
      },
    ],
    tests: ['test/browser/docs.test.ts'],
  },
  {
    fault: 'pages: sends a page to a program that takes anything',
    edits: [
      {
        file: 'src/http/request/prefers-page.ts',
        find: '!/text\\/html/i.test(accept)',
        replaceBy: '!/html|\\*/i.test(accept)',
      },
      {
        file: 'src/http/request/prefers-page.ts',
        find: "weights.get('text/html') ?? 0",
        replaceBy: "weights.get('text/html') ?? 2",
      },
    ],
    tests: ['src/pages/pages.test.ts'],
  },
  {
    fault: 'pages: sends a page below the base address',
    edits: [
      {
        file: 'src/http/request/prefers-page.ts',
        find: ' || forPrograms.test(url)',
        replaceBy: '',
      },
    ],
    tests: ['src/pages/pages.test.ts'],
  },
  {
    fault: 'pages: shows what was asked for as HTML',
    edits: [
      {
        file: 'src/pages/html.ts',
        find: 'return escapeHtml(String(part))',
        replaceBy: 'return String(part)',
      },
    ],
    tests: ['src/pages/pages.test.ts'],
  },
  {
    fault: 'pages: links of a guide lead to files that are not served',
    edits: [
      {
        file: 'src/pages/guides/guides.ts',
        find: 'return guide && ',
        replaceBy: 'return guide === undefined ? target : ',
      },
    ],
    tests: ['src/pages/pages.test.ts'],
  },
  {
    fault: 'pages: the reference reads integers of a response as doubles',
    edits: [
      {
        file: 'src/pages/assets/json.js',
        find: 'const tokens = text.match(token)',
        replaceBy: 'const tokens = JSON.stringify(JSON.parse(text)).match(token)',
      },
    ],
    tests: ['test/browser/docs.test.ts'],
  },
  {
    fault: 'pages: the reference sends filters that nobody entered',
    edits: [
      {
        file: 'src/pages/assets/reference.js',
        find: "if (value === '') continue",
        replaceBy: 'if (value === undefined) continue',
      },
    ],
    tests: ['test/browser/docs.test.ts'],
  },
  {
    fault: 'pages: listOrders can be tried',
    edits: [
      {
        file: 'src/pages/reference/model.ts',
        find: "described['x-hideTryItPanel'] !== true",
        replaceBy: "described['x-hideTryItPanel'] !== false",
      },
    ],
    tests: ['test/browser/docs.test.ts'],
  },
  {
    fault: 'pages: the reference quotes a message that no operation sends',
    edits: [
      {
        file: 'src/pages/reference/error-texts.ts',
        find: 'only a pending order can be shipped.',
        replaceBy: 'only a delivered order can be shipped.',
      },
    ],
    tests: ['src/pages/reference/reference-page.test.ts'],
  },
  {
    fault: 'pages: a sample of curl asks with the wrong method',
    edits: [
      {
        file: 'src/pages/reference/samples.ts',
        find: "method === 'GET' ||",
        replaceBy: "method !== 'GET' ||",
      },
      {
        file: 'src/pages/reference/samples.ts',
        find: '-H "Content-Type: application/json"',
        replaceBy: '-G -H "Content-Type: application/json"',
      },
    ],
    tests: ['test/documents/samples.test.ts'],
  },
]
