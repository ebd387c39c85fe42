import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { rewriteModule } from './rewrite.ts'

const root = join(import.meta.dirname, '../..')

/** CommonJS modules among the packages load Node's own modules by `require`. */
const banner =
  "import { createRequire as createRequireOfBundle } from 'node:module'\nconst require = createRequireOfBundle(import.meta.url)"

/**
 * Writes these modules, each with all that it imports, packages too, to `folder`. `entries`: by path in the package, without
 * `.js`, the path in the repository. All are one folder deep, so that each finds the files of the package in the same way. An
 * entry that another one imports stays a module of its own. Returns the packages that are in it, as folders.
 */
export async function bundle(entries: Record<string, string>, folder: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    // The oldest Node that serves a store in memory: `problemWithNode`.
    target: 'node22.16',
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
    // Optional parts of pg, which are not installed.
    external: ['pg-native', 'pg-cloudflare'],
    banner: { js: banner },
    plugins: [ownAddresses(entries)],
  })
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  )
  return [...new Set(packages)].sort()
}

/** Modules find files of the package and other entries by their address, which a bundle changes. */
function ownAddresses(entries: Record<string, string>): Plugin {
  const outputs = new Map(Object.entries(entries).map(([to, from]) => [from, to]))
  return {
    name: 'own addresses',
    setup(build) {
      build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        const output = outputs.get(relative(root, join(resolveDir, path)).split(sep).join('/'))
        const isOwn = kind !== 'entry-point' && output !== undefined
        return isOwn ? { path: `../${output}.js`, external: true } : undefined
      })
      build.onLoad({ filter: /\.[jt]s$/ }, ({ path }) => {
        if (path.includes(`${sep}node_modules${sep}`)) return undefined
        const own = relative(root, path).split(sep).join('/')
        const contents = rewriteModule(readFileSync(path, 'utf8'), own, outputs)
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
      })
    },
  }
}
