// Builds dist/: the files with their compressed forms in a folder of their own, then the manifest that names it.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build as buildWithVite } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const dist = join(root, 'dist')

const types = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Builds the console. The build that is there is served until the new one is complete. */
export async function build(stamp) {
  const folder = `${stamp}-${process.pid}`
  const outDir = join(dist, folder)
  mkdirSync(dist, { recursive: true })
  await buildWithVite({
    root,
    configFile: join(root, 'vite.config.js'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  })
  const assets = readdirSync(join(outDir, 'assets')).map((name) => `assets/${name}`)
  const files = Object.fromEntries(await Promise.all(assets.map((path) => compress(outDir, path))))
  writeFileSync(join(dist, 'manifest.new.json'), JSON.stringify({ stamp, folder, files }, null, 2))
  renameSync(join(dist, 'manifest.new.json'), join(dist, 'manifest.json'))
  for (const name of readdirSync(dist)) {
    if (![folder, 'manifest.json'].includes(name)) rmSync(join(dist, name), { recursive: true })
  }
}

async function compress(folder, path) {
  const type = types[extname(path)]
  if (type === undefined) throw new Error(`${path} is of a type that the service does not send.`)
  const content = readFileSync(join(folder, path))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
  writeFileSync(join(folder, `${path}.br`), await promisify(brotliCompress)(content, { params }))
  writeFileSync(join(folder, `${path}.gz`), await promisify(gzip)(content, { level: 9 }))
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  return [path, { type, hash }]
}
