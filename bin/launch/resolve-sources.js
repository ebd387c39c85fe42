// A named import would fail on a Node that is too old.
import nodeModule from 'node:module'

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
