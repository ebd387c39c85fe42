// Plain JavaScript without packages: it runs before anything is installed, on any Node from 20.10.

import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installWhatIsMissing } from './install.js'
import { LaunchError } from './launch-error.js'
import { startProgram } from './start-program.js'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * Runs a script of the repository: installs what is missing, and takes the Node that runs this or, where that lacks
 * something, one of its own. What becomes of the script becomes of this process: signals, exit code, and SIGKILL too.
 */
export function launch(script, args, { withDev = false } = {}) {
  return startProgram({
    path: () => {
      if (script !== undefined) return asCalled(join(root, script))
      throw new LaunchError('usage', 'Usage: node bin/launch.js SCRIPT [ARGUMENT …]')
    },
    args,
    nodeFolder: root,
    needs: { withDev, isTypeScript: true, isInMemory: false },
    install: ({ nodePackage }) => installWhatIsMissing(root, { withDev, nodePackage }),
  })
}

/** The same file by the path that was called: a symbolic link in it may name another version when it is started again. */
function asCalled(program) {
  const called = join(dirname(process.argv[1] ?? ''), basename(program))
  try {
    return realpathSync(called) === program ? called : program
  } catch {
    return program
  }
}
