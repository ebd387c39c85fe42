#!/usr/bin/env node
import { constants, enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Other users must not read the data and the digests of keys.
process.umask(0o077)

// A third of a start is compilation. A user who may not write here has a cache in the home directory, if anywhere.
const here = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
const { FAILED } = constants.compileCacheStatus
if (enableCompileCache(here).status === FAILED) {
  enableCompileCache(join(homedir(), '.cache/petstore/compiled'))
}

const args = process.argv.slice(2)

// kill -9 of the launcher ends its program too. `serve` stops by itself; its channel is to stay open until then.
if (process.connected && args[0] !== 'serve') {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel?.unref()
}

const { main } = await import('../src/cli/main.ts')
process.exitCode = await main(args)
