import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Compiles these files and all that they import into `folder`, below the paths that they have in the repository. */
export function compile(files: string[], folder: string, options: Record<string, unknown>): void {
  // Within the repository, where the compiler finds the types of packages.
  const workspace = mkdtempSync(join(root, 'node_modules/.petstore-build-'))
  const config = join(workspace, 'tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    noCheck: true,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: root,
    outDir: folder,
    ...options,
  }
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions,
      include: [],
      files: files.map((file) => join(root, file)),
    }),
  )
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [tsc, '-p', config], { stdio: 'inherit' })
  } finally {
    rmSync(workspace, { recursive: true })
  }
}
