#!/usr/bin/env node
import { keepCompiledCode, resolveSourcesAsUrls } from './launch/load-quickly.js'
import { problemWithNode } from './launch/node-version.js'

const problem = problemWithNode('memory')
if (problem !== undefined) {
  console.error(problem)
  process.exit(80)
}

// Other users must not read the data and the digests of keys.
process.umask(0o077)

keepCompiledCode()
resolveSourcesAsUrls()

const args = process.argv.slice(2)

// kill -9 of the launcher ends its program too. `serve` stops by itself; its channel is to stay open until then.
if (process.connected && args[0] !== 'serve') {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel?.unref()
}

const { main } = await import('../src/cli/main.ts')
process.exitCode = await main(args)
