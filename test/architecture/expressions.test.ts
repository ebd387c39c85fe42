import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { it } from 'node:test'
import { features } from '../../src/features.ts'
import { modulesOf } from './modules.ts'
import { type Files, itHolds } from './repository.ts'

// Its main module would start Java, or a binary, where there is one.
const { checkSync }: typeof import('recheck') = createRequire(import.meta.url)(
  'recheck/lib/browser.js',
)

const isPublished = (path: string, isTest: boolean) => path.startsWith('src/') && !isTest

/** Analysed by automata alone: an expression that they cannot decide within their time is reported too. */
function problemWith(source: string, flags: string): string | undefined {
  const result = checkSync(source, flags, { checker: 'automaton', timeout: null })
  if (result.status === 'safe') return undefined
  return result.status === 'unknown'
    ? 'cannot be analysed'
    : `takes ${result.complexity.summary} time`
}

function findSuperLinear(files: Files): string[] {
  const modules = modulesOf(files).filter(({ path, isTest }) => isPublished(path, isTest))
  return modules.flatMap(({ path, expressions }) =>
    expressions.flatMap((text) => {
      const end = text.lastIndexOf('/')
      const problem = problemWith(text.slice(1, end), text.slice(end + 1))
      if (problem === undefined) return []
      return [`${path} has ${text}, which ${problem}: rewrite it, or read the text in a loop.`]
    }),
  )
}

function findBuiltExpressions(files: Files): string[] {
  const modules = modulesOf(files).filter(({ path, isTest }) => isPublished(path, isTest))
  return modules.flatMap(({ path, code }) => {
    if (!/\bRegExp\(/.test(code)) return []
    return [`${path} builds a regular expression: write it as a literal, which is analysed.`]
  })
}

itHolds('no regular expression of src/ takes more than linear time', findSuperLinear, [
  { 'src/http/a.ts': 'const a = /0+$/' },
  {
    'src/http/a.ts': 'const a = text.replace(/^[ \\t]*(?:"[^"]*"[ \\t]*(?:,[ \\t]*|$))+[ \\t]*$/g)',
  },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source to be read
  { 'src/http/a.ts': 'const a = `${/(?:a|b|ab)*c/i.exec(text)}`' },
  { 'src/http/a.ts': 'const a = /(a)[^]*\\1$/' },
])

itHolds('every regular expression of src/ is a literal', findBuiltExpressions, [
  { 'src/http/a.ts': "const a = new RegExp('a+$')" },
  { 'src/http/a.ts': "const a = RegExp(b + '+$')" },
])

it('no pattern of a schema takes more than linear time', () => {
  const patterns = new Set(
    features.flatMap(({ operation: { body, query } }) => patternsIn({ body, query })),
  )

  // Ajv compiles them with this flag.
  const problems = [...patterns].map((pattern) => ({ pattern, problem: problemWith(pattern, 'u') }))

  assert.ok(patterns.size > 0)
  assert.deepEqual(
    problems.filter(({ problem }) => problem !== undefined),
    [],
  )
})

function patternsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value),
  )
}
