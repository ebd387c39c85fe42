import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { propertyEscapes } from '../harness/faults.ts'
import { packagesFolder } from '../harness/packages.ts'
import { run, versionOf } from '../harness/run.ts'
import type { Document, Tool } from '../harness/tool.ts'

type Case = { pattern: string; text: string; matchesIfMatch: boolean }

const programs = join(packagesFolder, 'patterns')
/** By language: what prints the version, what tries patterns, and the file of that. */
const languages: Record<string, [version: string, command: string, file: string]> = {
  Python: ['python3 --version', 'python3', 'patterns.py'],
  Java: ['java --version', 'java', 'Patterns.java'],
  Perl: ['perl -e print$^V', 'perl', 'patterns.pl'],
  Go: ['go version', 'go run', 'patterns.go'],
}

/** No white space beyond ASCII, and no line break at the end: the languages differ there. */
const samples = [
  '',
  ' ',
  '  x',
  'x ',
  'Spot',
  'pet',
  'Zoë',
  '漢字',
  'Ada 🐕',
  'a\tb',
  'a\u0001b',
  '\u007f',
  'a\u0085b',
]

export const patterns: Tool = {
  name: 'patterns',
  packages: [],
  async check({ document, directory }) {
    const cases = casesOf(document)
    const wrong = cases.filter(
      (one) => new RegExp(one.pattern).test(one.text) !== one.matchesIfMatch,
    )
    if (wrong.length > 0) throw new Error(`JavaScript without u: ${JSON.stringify(wrong)}`)
    writeFileSync(join(directory, 'patterns.txt'), cases.map(lineOf).join('\n'))

    const agreeing = ['JavaScript with and without u']
    const missing: string[] = []
    for (const [name, [version, command, file]] of Object.entries(languages)) {
      const about = await versionOf(version, directory)
      if (about === undefined) {
        missing.push(name)
        continue
      }
      const [program = '', ...args] = [...command.split(' '), join(programs, file), 'patterns.txt']
      const { exitCode, output } = await run(program, args, directory)
      if (exitCode !== 0) throw new Error(`${name}: ${output}`)
      agreeing.push(`${name} ${/\d[\w.]*/.exec(about)?.[0]}`)
    }
    const skipped = missing.length > 0 ? `. NOT TRIED, since not installed: ${missing}` : ''
    return `${cases.length} matches are the same in ${agreeing.join(', ')}${skipped}`
  },
  faults: [
    propertyEscapes,
    {
      fault: 'a pattern that JavaScript alone reads',
      edit: ({ components }) => {
        components.schemas.NewPet.properties.name.pattern = '^[^]+$'
      },
      expected: /Python|Java:|Perl|Go/,
    },
    {
      fault: 'an example that its pattern refuses',
      edit: ({ components }) => {
        components.schemas.NewPet.properties.name.examples = [' ']
      },
      expected: /refuses its example/,
    },
  ],
}

/** Every pattern with its examples, which it must accept, and with the samples. */
function casesOf(document: Document): Case[] {
  const examples = new Map<string, Set<string>>()
  collectPatterns(document, examples)
  if (examples.size === 0) throw new Error('The document has no pattern.')
  return [...examples].flatMap(([pattern, own]) => {
    const expression = new RegExp(pattern, 'u')
    for (const example of own) {
      if (!expression.test(example)) throw new Error(`${pattern} refuses its example ${example}`)
    }
    const texts = [...new Set([...own, ...samples])]
    return texts.map((text) => ({ pattern, text, matchesIfMatch: expression.test(text) }))
  })
}

/** A parameter and a header have their examples beside their schema. */
function collectPatterns(value: unknown, found: Map<string, Set<string>>, beside: unknown[] = []) {
  if (typeof value !== 'object' || value === null) return
  const { pattern, example, examples, schema } = value as Document
  const named = Array.isArray(examples) ? examples : Object.values(examples ?? {})
  const own = [example, ...named.map((one) => one?.value ?? one)]
  if (typeof pattern === 'string') {
    const texts = [...own, ...beside].filter((one) => typeof one === 'string')
    found.set(pattern, new Set([...(found.get(pattern) ?? []), ...texts]))
  }
  for (const part of Object.values(value)) {
    collectPatterns(part, found, part === schema ? own : [])
  }
}

function lineOf({ pattern, text, matchesIfMatch }: Case): string {
  const inHex = (value: string) => Buffer.from(value).toString('hex')
  return `${inHex(pattern)},${inHex(text)},${matchesIfMatch ? 1 : 0}`
}
