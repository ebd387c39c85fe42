import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from './process.ts'

/** What a job of GitHub Actions has. */
const job = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://forge.example',
  GITHUB_REPOSITORY: 'owner/store',
  ACTIONS_ID_TOKEN_REQUEST_URL: 'https://token.example',
}
const url = 'git+https://forge.example/owner/store.git'

const packages = {
  service: { folder: 'dist/package', repository: { type: 'git', url } },
  client: { folder: 'dist/client', repository: { type: 'git', url, directory: 'client' } },
}

/** Does all of `npm run publish:package` but the upload. Yields a line for each package. */
export function* tryPublish(): Generator<string> {
  for (const [name, { folder, repository }] of Object.entries(packages)) {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['tools/publish-package.ts', name, '--dry-run'],
      { cwd: repositoryRoot, env: { ...process.env, ...job }, encoding: 'utf8' },
    )
    const manifest = JSON.parse(readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8'))
    const isReady =
      status === 0 &&
      JSON.stringify(manifest.repository) === JSON.stringify(repository) &&
      manifest.publishConfig.provenance === true &&
      manifest.scripts === undefined
    if (!isReady) throw new Error(`publish:package ${name} ended with ${status}:\n${stderr}`)
    const [, files] = /total files: *(\d+)/.exec(stderr) ?? []
    yield `publish:package ${name}: ${files} files, with the repository of the CI`
  }
}
