import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** `Symbol.asyncDispose`, which programs for older targets have no types for. */
const disposable = '/// <reference lib="esnext.disposable" />\n'

/** Deletes the declarations that these do not reach. Throws where one of them needs the types of another package. */
export function keepPublicTypes(folder: string, entries: readonly string[]): void {
  const kept = reachable(folder, entries, { imports: /(?:from |import\()'([^']+)'/g, own: /^\./ })
  removeOthers(folder, '**/*.d.ts', kept)
  for (const entry of entries) {
    const path = join(folder, entry)
    writeFileSync(path, `${disposable}${readFileSync(path, 'utf8')}`)
  }
}

/** Deletes the CommonJS modules that this one does not load: the compiler emits those too of which only types are used. */
export function keepRequired(folder: string, entry: string): void {
  const parts = { imports: /require\("([^"]+)"\)/g, own: /^(?:\.|node:)/ }
  removeOthers(folder, '**/*.js', reachable(folder, [entry], parts))
}

/** The files that these reach, each with what it imports. Throws where that is none of the package's own. */
function reachable(
  folder: string,
  entries: readonly string[],
  { imports, own }: { imports: RegExp; own: RegExp },
) {
  const found = new Map<string, string[]>()
  const visit = (path: string) => {
    if (found.has(path)) return
    const text = readFileSync(join(folder, path), 'utf8')
    const specifiers = [...text.matchAll(imports)].map(([, specifier = '']) => specifier)
    const others = specifiers.filter((specifier) => !own.test(specifier))
    if (others.length > 0) throw new Error(`${path} needs ${others}, which the package lacks.`)
    found.set(path, specifiers)
    for (const specifier of specifiers.filter((name) => name.startsWith('.'))) {
      const extension = path.endsWith('.d.ts') ? '.d.ts' : '.js'
      const target = join(folder, dirname(path), specifier.replace(/\.js$/, extension))
      visit(relative(folder, target))
    }
  }
  for (const entry of entries) visit(entry)
  return found
}

function removeOthers(folder: string, pattern: string, kept: ReadonlyMap<string, unknown>) {
  for (const path of globSync(pattern, { cwd: folder })) {
    if (!kept.has(path)) rmSync(join(folder, path))
  }
}
