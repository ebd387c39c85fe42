// Builds the console where there is no build of this version. Runs behind a service, and as npm run build:console.

import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { endWith } from './end.js'
import { installWhatIsMissing } from './install.js'
import { withLock } from './lock.js'

const folder = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'console')

// The service that wanted it has ended. The first signal makes npm clean up, the next one ends it.
process.once('disconnect', () => setInterval(() => process.kill(process.pid, 'SIGTERM'), 1_000))
process.channel?.unref()

await buildConsole().catch(endWith)

async function buildConsole() {
  const { isBuilt, stampOf } = await import(pathToFileURL(join(folder, 'stamp.js')).href)
  if (isBuilt(folder)) return
  await withLock(join(folder, '.building'), async () => {
    if (isBuilt(folder)) return
    await installWhatIsMissing(folder, { withDev: true })
    const { build } = await import(pathToFileURL(join(folder, 'build.js')).href)
    await build(stampOf(folder))
  })
  if (!isBuilt(folder)) throw new Error('The source has changed during the build.')
}
