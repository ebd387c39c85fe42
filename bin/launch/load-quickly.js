// A named import would fail on a Node that is too old.
import nodeModule from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Keeps what is compiled from now on for the next process: a third of a start is compilation. A user who may not write here has
 * a cache in the home directory, if anywhere. Coverage would be less exact with it, so that has none.
 */
export function keepCompiledCode() {
  if (process.env.NODE_V8_COVERAGE) return
  const here = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))
  const { FAILED } = nodeModule.constants.compileCacheStatus
  if (nodeModule.enableCompileCache(here).status === FAILED) {
    nodeModule.enableCompileCache(join(homedir(), '.cache/petstore/compiled'))
  }
}

/**
 * Resolves the relative imports of the sources as URLs: a sixth of a start is Node's search for symbolic links and package.json
 * files at each of them.
 */
export function resolveSourcesAsUrls() {
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      if (!/^\..*\.ts$/.test(specifier)) return next(specifier, context)
      const { href: url } = new URL(specifier, context.parentURL)
      return { url, format: 'module-typescript', shortCircuit: true }
    },
  })
}
