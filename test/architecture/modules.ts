import { posix } from 'node:path'
import type { Files } from './repository.ts'
import { type Scanned, scan } from './scan.ts'

type Names = string[] | 'all'
type Import = { specifier: string; target: string | undefined; names: Names }
export type Module = Scanned & {
  path: string
  imports: Import[]
  exports: string[]
  isTest: boolean
}

const sourcePath = /^(?:bin|client\/src|console\/src|src|test)\/.*(?<!\.d)\.(?:tsx?|js)$/

const known = new WeakMap<Files, Module[]>()

/** The modules among the files: what each imports and exports. `target` is a path for a relative import. */
export function modulesOf(files: Files): Module[] {
  const modules = known.get(files) ?? readModules(files)
  known.set(files, modules)
  return modules
}

function readModules(files: Files): Module[] {
  const paths = [...files.keys()].filter((path) => sourcePath.test(path))
  return paths.map((path) => {
    const scanned = scan(files.get(path) ?? '')
    const isTest = path.endsWith('.test.ts')
    const imports = importsOf(scanned).map(([specifier, names]) => {
      const isRelative = specifier.startsWith('.')
      const target = isRelative ? posix.join(posix.dirname(path), specifier) : undefined
      return { specifier, target, names }
    })
    return { ...scanned, path, imports, exports: exportsOf(scanned.code), isTest }
  })
}

const fromClause = /^(?:import|export)\s+(?:type\s+)?([\w$*{},\s]+?)\s+from\s+'(\d+)'/gm
const wholeModule = /(?:^import|\bimport\()\s*'(\d+)'/gm
const startedModule = /\bnew URL\(\s*'(\d+)',\s*import\.meta\.url/g

function importsOf({ code, literals }: Scanned): [specifier: string, names: Names][] {
  const textOf = (index = '') => literals[Number(index)] ?? ''
  const named = [...code.matchAll(fromClause)].map(([, clause = '', index]): [string, Names] => [
    textOf(index),
    namesIn(clause),
  ])
  const whole = [...code.matchAll(wholeModule)].map(([, index]) => textOf(index))
  const started = [...code.matchAll(startedModule)].map(([, index]) => textOf(index))
  const startedHere = started.filter((name) => /\.[jt]s$/.test(name)).map(asRelative)
  return [...named, ...[...whole, ...startedHere].map((name): [string, Names] => [name, 'all'])]
}

function asRelative(url: string): string {
  return url.startsWith('.') ? url : `./${url}`
}

function namesIn(clause: string): Names {
  if (clause.includes('*')) return 'all'
  const [, outside = '', inside = ''] = /^([^{]*)(?:\{([^}]*)\})?/.exec(clause) ?? []
  const defaults = outside.replace(',', '').trim() === '' ? [] : ['default']
  return [...defaults, ...listed(inside).map(([name]) => name)]
}

const declaration =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\s*\*?|class|type|interface)\s+([\w$]+)/gm
const exportList = /^export\s+(?:type\s+)?\{([^}]*)\}/gm

function exportsOf(code: string): string[] {
  const declared = [...code.matchAll(declaration)].map(([, name = '']) => name)
  const lists = [...code.matchAll(exportList)].flatMap(([, list = '']) => listed(list))
  const isDefaultGiven = /^export default\b/m.test(code)
  return [...declared, ...lists.map(([, alias]) => alias), ...(isDefaultGiven ? ['default'] : [])]
}

function listed(list: string): [name: string, alias: string][] {
  const items = list.split(',').map((item) => item.trim().replace(/^type\s+/, ''))
  return items
    .filter((item) => item !== '')
    .map((item) => {
      const [name = '', alias = name] = item.split(/\s+as\s+/)
      return [name, alias]
    })
}
