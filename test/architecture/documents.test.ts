import { matchesGlob, posix } from 'node:path'
import { type Files, itHolds } from './repository.ts'

const document = /^(?:README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$|^docs\/.*\.md$/
const link = /\]\(([^)\s]+)\)/g
const inBackticks = /(?<!`)`([^`\n]+)`(?!`)/g

/** A folder of ours and a slash, or a slash and the extension of a source file. */
const looksLikePath =
  /^(?:\.ci|bench|bin|client|console|docs|migrations|src|test)\/[\w./*{},-]*$|^[\w.*{},-]+\/[\w./*{},-]*\.(?:js|json|md|sql|ts|txt)$/

function findDeadPaths(files: Files): string[] {
  const documents = [...files].filter(([path]) => document.test(path))
  return documents.flatMap(([path, text]) => {
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
    const linked = targetsOf(prose, link).filter((target) => !/^(?:[a-z]+:|#|\/)/.test(target))
    const named = targetsOf(prose, inBackticks).filter((name) => looksLikePath.test(name))
    const isDead = (target: string) => !exists(files, posix.join(posix.dirname(path), target))
    const dead = [
      ...linked.filter(isDead),
      ...named.filter((name) => !exists(files, posix.normalize(name)) && isDead(name)),
    ]
    return dead.map((name) => `${path} names ${name}, which does not exist: correct the path.`)
  })
}

function targetsOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, target = '']) => target.replace(/(?:#.*|:\d+)$/, ''))
}

function exists(files: Files, path: string): boolean {
  const wanted = path.replace(/\/$/, '')
  const isPattern = /[*?{[]/.test(wanted)
  const isSo = (file: string) =>
    isPattern ? matchesGlob(file, wanted) : file.startsWith(`${wanted}/`)
  return files.has(wanted) || [...files.keys()].some(isSo)
}

/** Files below `docs/examples/` to which no document leads, neither to them nor to a folder that they are in. */
function findUnlinkedExamples(files: Files): string[] {
  const linked = [...files].flatMap(([path, text]) =>
    document.test(path)
      ? targetsOf(text, link).map((target) => posix.join(posix.dirname(path), target))
      : [],
  )
  const paths = [...files.keys()]
  return paths
    .filter((path) => path.startsWith('docs/examples/'))
    .filter((path) => !paths.some((other) => other.startsWith(`${path}/`)))
    .filter(
      (path) => !linked.some((one) => one === path || (one.endsWith('/') && path.startsWith(one))),
    )
    .map((path) => `${path} is linked by no document: link it, or delete it.`)
}

/** Notes whose number another note has, or whose title does not begin with the number of their file. */
function findMisnumberedNotes(files: Files): string[] {
  const notes = [...files.keys()].filter((path) => /^docs\/decisions\/.*\.md$/.test(path))
  const numberOf = (path: string) => posix.basename(path).slice(0, 4)
  return notes.flatMap((path, index) => {
    const number = numberOf(path)
    if (!files.get(path)?.startsWith(`# ${number}: `)) {
      return [`The title of ${path} must begin with '# ${number}: '.`]
    }
    const isTaken = notes.slice(0, index).some((other) => numberOf(other) === number)
    return isTaken ? [`${path} has the number of another note: take the next free one.`] : []
  })
}

/** Blocks that give a pet the number of a category, and do not add one: commands do so together, a program alone. */
function findMissingCategories(files: Files): string[] {
  const documents = [...files].filter(
    ([path]) => document.test(path) || path === 'client/README.md',
  )
  return documents.flatMap(([path, text]) => {
    let hasCategory = false
    return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(
      ([, language, block = '']) => {
        if (language === 'json') return []
        const isAdded = /\bcategories\b/.test(block)
        hasCategory = isAdded || (hasCategory && language === 'sh')
        const numbered = hasCategory ? undefined : /categoryId\W{1,4}\d{1,15}\b/.exec(block)?.[0]
        return numbered ? [`${path} has ${numbered}, and adds no category before it.`] : []
      },
    )
  })
}

itHolds('a pet in a sample has a category that the sample adds', findMissingCategories, [
  { 'README.md': '```sh\ncurl -d \'{"name": "Rex", "categoryId": 2}\' $store/pets\n```\n' },
  { 'docs/a.md': '```go\ncategories\n```\n```js\ncreate({ categoryId: 2 })\n```\n' },
])

itHolds('every example is linked by a document', findUnlinkedExamples, [
  {
    'docs/guides/a.md': '[b](../examples/a/b.py)',
    'docs/examples/a/b.py': '',
    'docs/examples/a/c.py': '',
  },
])

itHolds('every decision note has a number of its own', findMisnumberedNotes, [
  { 'docs/decisions/0001-a.md': '# 0001: A\n', 'docs/decisions/0001-b.md': '# 0001: B\n' },
  { 'docs/decisions/0002-a.md': '# 2. A\n' },
])

itHolds('every path that a document names exists', findDeadPaths, [
  { 'README.md': 'See [how](docs/how.md).' },
  { 'README.md': 'See `src/features/pets/create-pet.ts`.', 'src/features/pets/get-pet.ts': '' },
  { 'docs/guides/start.md': '[back](../../README.md)' },
  { 'CONTRIBUTING.md': 'Tests: `test/*/*.test.ts`.', 'test/a.test.ts': '' },
])
