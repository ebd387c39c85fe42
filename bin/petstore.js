#!/usr/bin/env node
// A named import would fail on a Node that is too old.
import nodeModule from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { problemWithNode } from './launch/node-version.js'

const problem = problemWithNode('memory')
if (problem !== undefined) {
  console.error(problem)
  process.exit(80)
}

// Other users must not read the data and the digests of keys.
process.umask(0o077)

// A third of a start is compilation. A user who may not write here has a cache in the home directory, if anywhere.
const here = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
const { FAILED } = nodeModule.constants.compileCacheStatus
if (nodeModule.enableCompileCache(here).status === FAILED) {
  nodeModule.enableCompileCache(join(homedir(), '.cache/petstore/compiled'))
}

const args = process.argv.slice(2)

// kill -9 of the launcher ends its program too. `serve` stops by itself; its channel is to stay open until then.
if (process.connected && args[0] !== 'serve') {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel?.unref()
}

const { main } = await import('../src/cli/main.ts')
process.exitCode = await main(args)
