import { execFileSync } from 'node:child_process'
import { globSync, lstatSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../processes/process.ts'

export type Install = { packages: number; mebibytes: number }

/** Installs a package alone in an empty folder, as a user does. Returns the folder. */
export function installAlone(workspace: string, what: string): string {
  const folder = mkdtempSync(join(workspace, 'install-'))
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', what], { cwd: folder })
  return folder
}

export function sizeOf(folder: string): Install {
  const paths = globSync('node_modules/**', { cwd: folder })
  const blocks = paths.reduce((sum, path) => sum + lstatSync(join(folder, path)).blocks, 0)
  const manifests = paths.filter((path) =>
    /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path),
  )
  return { packages: manifests.length, mebibytes: (blocks * 512) / 2 ** 20 }
}

/** Packs petstore-service. Returns the path of its tarball. */
export function packPetstore(workspace: string): string {
  const built = mkdtempSync(join(workspace, 'built-'))
  execFileSync(process.execPath, ['tools/build-package.ts', built], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const args = ['pack', '--json', '--pack-destination', workspace]
  const output = execFileSync('npm', args, { cwd: built, encoding: 'utf8' })
  return join(workspace, JSON.parse(output)[0].filename)
}
