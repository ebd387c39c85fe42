import { posix } from 'node:path'

const ownAddress = /new URL\('([^']+\.ts)', import\.meta\.url\)|import\.meta\.url/g

/**
 * The module at `path` of the repository as it is bundled: addresses of files stay those below `path`, wherever one folder deep the
 * bundle has it; `outputs` are the modules that are loaded by their address. A worker has the storage with it. Commands are those
 * that work where the package is installed.
 */
export function rewriteModule(
  text: string,
  path: string,
  outputs: ReadonlyMap<string, string>,
): string {
  const storage = posix.relative(posix.dirname(path), 'src/app/storage.ts')
  return text
    .replace("new URL('./storage.ts', import.meta.url).href", "''")
    .replace('import(storageUrl)', `import('${storage}')`)
    .replaceAll(ownAddress, (_found, module?: string) => {
      if (module === undefined) return `new URL('../${path}', import.meta.url)`
      const output = outputs.get(posix.join(posix.dirname(path), module))
      if (output === undefined) throw new Error(`${path} loads ${module}, which is no entry.`)
      return `new URL('../${output}.js', import.meta.url)`
    })
    .replaceAll('`bin/petstore keys', '`npx petstore-service keys')
}

/** Declarations whose imports a compiler of any age resolves. */
export function rewriteDeclaration(text: string): string {
  return text.replaceAll(/(from '\.[^']*|import\('\.[^']*)\.ts'/g, "$1.js'")
}
