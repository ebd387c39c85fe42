// Builds the console where there is no build of this version. Runs behind a service, and as npm run build:console.

import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { installWhatIsMissing } from './install.js'
import { Interruption, LaunchError } from './launch-error.js'
import { withLock } from './lock.js'

const folder = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'console')

// The service that wanted it has ended. The first signal makes npm clean up, the next one ends it.
process.once('disconnect', () => setInterval(() => process.kill(process.pid, 'SIGTERM'), 1_000))
process.channel?.unref()

try {
  await buildConsole()
} catch (error) {
  if (!(error instanceof LaunchError) && !(error instanceof Interruption)) throw error
  console.error(error.message)
  process.exit(error.exitCode ?? 1)
}

async function buildConsole() {
  const { isBuilt, stampOf } = await import(pathToFileURL(join(folder, 'stamp.js')).href)
  if (isBuilt(folder)) return
  await withLock(join(folder, '.building'), async () => {
    if (isBuilt(folder)) return
    const wanted = { withDev: true }
    await installWhatIsMissing(
      folder,
      wanted,
      'Fetching the packages that build the console into console/node_modules …',
    )
    const { build } = await import(pathToFileURL(join(folder, 'build.js')).href)
    await build(stampOf(folder))
  })
  if (!isBuilt(folder)) throw new Error('The source has changed during the build.')
}
