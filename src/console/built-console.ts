import { readFile, stat } from 'node:fs/promises'
import type { Environment } from '../config/settings.ts'
import {
  type Compressible,
  compressibleOf,
  createCompressible,
} from '../http/response/compressible.ts'

/** The files of the last build of the console. */
type BuiltConsole = {
  /** The page, for every address of the console; `undefined` while there is no build. */
  findPage(): Promise<Compressible | undefined>
  /** A file that the page loads. */
  findFile(path: string): Promise<Compressible | undefined>
}

/** What `console/build.js` writes: the folder of the build, and its files with their types and hashes. */
type Manifest = { folder: string; files: Record<string, { type: string; hash: string }> }

type Build = { changedMs: number; page: Compressible; files: Map<string, Compressible> }

/**
 * Reads the build in `folder`, and a newer one once it is there. Only files that the manifest names are read, each when it
 * is first asked for.
 */
export function createBuiltConsole(folder: URL, environment: Environment): BuiltConsole {
  const manifestUrl = new URL('manifest.json', folder)
  let build: Promise<Build> | undefined
  let changedMs: number | undefined

  /** The manifest is replaced when a build is complete. */
  async function currentBuild(): Promise<Build | undefined> {
    const found = await stat(manifestUrl).catch(() => undefined)
    if (found === undefined) return undefined
    if (build === undefined || changedMs !== found.mtimeMs) {
      changedMs = found.mtimeMs
      build = loadBuild(folder, found.mtimeMs, environment)
      // The next request tries again.
      build.catch(() => (build = undefined))
    }
    return build.catch(() => undefined)
  }

  return {
    findPage: async () => (await currentBuild())?.page,
    findFile: async (path) =>
      (await build)?.files.get(path) ?? (await currentBuild())?.files.get(path),
  }
}

async function loadBuild(folder: URL, changedMs: number, environment: Environment): Promise<Build> {
  const text = await readFile(new URL('manifest.json', folder), 'utf8')
  const manifest = JSON.parse(text) as Manifest
  const from = new URL(`${manifest.folder}/`, folder)
  const html = await readFile(new URL('index.html', from), 'utf8')
  const page = createCompressible(Buffer.from(html.replace('{{environment}}', environment)), {
    mediaType: 'text/html; charset=utf-8',
    cacheControl: 'no-cache',
  })
  const files = Object.entries(manifest.files).map(
    ([path, file]) => [path, compressedFile(new URL(path, from), file)] as const,
  )
  return { changedMs, page, files: new Map(files) }
}

const suffixes = { br: '.br', gzip: '.gz', identity: '' }
const cacheControl = 'public, max-age=31536000, immutable'

/** A file that the build has compressed; its name has its hash, so it never changes. */
function compressedFile(url: URL, { type, hash }: { type: string; hash: string }): Compressible {
  return compressibleOf(hash, { mediaType: type, cacheControl }, (coding) =>
    readFile(new URL(url.href + suffixes[coding])),
  )
}
