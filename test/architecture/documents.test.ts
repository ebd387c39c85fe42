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
