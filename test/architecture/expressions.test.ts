import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cases, isFull } from '../harness/extent.ts'
import { modulesOf } from './modules.ts'
import { type Files, itHolds } from './repository.ts'

// Its main module would start Java, or a native binary, if there is one.
const { checkSync }: typeof import('recheck') = createRequire(import.meta.url)(
  'recheck/lib/browser.js',
)

/** The service, and the client, which reads what a service sends. */
const isPublished = (path: string, isTest: boolean) => /^(?:client\/)?src\//.test(path) && !isTest

/** Their expressions read settings and constants, nothing that a client sends, and take long to analyse. */
const withoutClients = [
  'src/config/database-address.ts',
  'src/config/read-setting.ts',
  'src/db/postgres/address.ts',
]

const list = 'test/architecture/linear-expressions.txt'

/**
 * The expressions in use, which were found to take linear time, a line each. An analysis takes up to a second, so `npm test`
 * analyses only what is not listed; `npm run test:all` analyses all.
 */
const listed = new Set(
  readFileSync(new URL('linear-expressions.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n'),
)

/** Analysed by automata alone: an expression that they cannot decide in time is reported too. */
function problemWith(source: string, flags: string): string | undefined {
  const expression = `/${source}/${flags}`
  if (listed.has(expression) && !isFull) return undefined
  const result = checkSync(source, flags, { checker: 'automaton', timeout: null })
  if (result.status === 'safe') return undefined
  return result.status === 'unknown'
    ? 'cannot be analysed'
    : `takes ${result.complexity.summary} time`
}

function analysedModules(files: Files) {
  return modulesOf(files).filter(
    ({ path, isTest }) => isPublished(path, isTest) && !withoutClients.includes(path),
  )
}

function findSuperLinear(files: Files): string[] {
  return analysedModules(files).flatMap(({ path, expressions }) =>
    expressions.flatMap((text) => {
      const end = text.lastIndexOf('/')
      const problem = problemWith(text.slice(1, end), text.slice(end + 1))
      if (problem === undefined) return []
      return [`${path} has ${text}, which ${problem}: rewrite it, or read the text in a loop.`]
    }),
  )
}

function patternsOf(files: Files): string[] {
  const patterns = new Set<string>()
  JSON.parse(files.get('openapi.json') ?? '{}', (name, value) => {
    if (name === 'pattern' && typeof value === 'string') patterns.add(value)
    return value
  })
  return [...patterns]
}

/** Patterns of schemas are compiled by the validator, with the flag u, and by clients, with or without it. */
function findSuperLinearPatterns(files: Files): string[] {
  return patternsOf(files).flatMap((pattern) => {
    const problem = problemWith(pattern, 'u') ?? problemWith(pattern, '')
    if (problem === undefined) return []
    return [`openapi.json has the pattern ${pattern}, which ${problem}: rewrite it.`]
  })
}

function findUnlisted(files: Files): string[] {
  const inUse = new Set([
    ...analysedModules(files).flatMap(({ expressions }) => expressions),
    ...patternsOf(files).flatMap((pattern) => [`/${pattern}/`, `/${pattern}/u`]),
  ])
  const lacks = [...inUse.difference(listed)].map((one) => `add the line ${one}`)
  const unused = [...listed.difference(inUse)].map((one) => `remove the line ${one}`)
  if (lacks.length + unused.length === 0) return []
  return [`${list}, once the other tests of this file pass:\n${[...lacks, ...unused].join('\n')}`]
}

function findBuiltExpressions(files: Files): string[] {
  const modules = modulesOf(files).filter(({ path, isTest }) => isPublished(path, isTest))
  return modules.flatMap(({ path, code }) => {
    if (!/\bRegExp\(/.test(code)) return []
    return [`${path} builds a regular expression: write it as a literal, which is analysed.`]
  })
}

itHolds(
  'no regular expression that a client or a service can reach takes more than linear time',
  findSuperLinear,
  cases(
    [
      { 'client/src/a.ts': 'const a = /<([^>]*)>;/' },
      { 'src/http/a.ts': 'const a = /0+$/' },
      {
        'src/http/a.ts':
          'const a = text.replace(/^[ \\t]*(?:"[^"]*"[ \\t]*(?:,[ \\t]*|$))+[ \\t]*$/g)',
      },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source to be read
      { 'src/http/a.ts': 'const a = `${/(?:a|b|ab)*c/i.exec(text)}`' },
      { 'src/http/a.ts': 'const a = /(a)[^]*\\1$/' },
    ],
    { quickEvery: 5 },
  ),
)

itHolds(
  'every regular expression of the service and the client is a literal',
  findBuiltExpressions,
  [
    { 'src/http/a.ts': "const a = new RegExp('a+$')" },
    { 'src/http/a.ts': "const a = RegExp(b + '+$')" },
  ],
)

itHolds('no pattern of a schema takes more than linear time', findSuperLinearPatterns, [
  { 'openapi.json': '{"schema":{"pattern":"^ *[^x]* *$"}}' },
  { 'openapi.json': '{"components":{"a":[{"pattern":"0+$"}]}}' },
])

itHolds(
  'the modules whose expressions are not analysed exist',
  (files) =>
    withoutClients
      .filter((path) => !files.has(path))
      .map((path) => `${path} is gone: take it off the list.`),
  [Object.fromEntries(withoutClients.slice(1).map((path) => [path, '']))],
)

itHolds('linear-expressions.txt lists the expressions in use', findUnlisted, [
  { 'src/http/a.ts': 'const a = /a new one/' },
  { 'openapi.json': '{"pattern":"^a new one$"}' },
])
