#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// A third of a start is compilation. Without a writable folder there is no cache.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))

// Other users must not read the data and the digests of keys.
process.umask(0o077)

const { main } = await import('../src/cli/main.ts')
process.exitCode = await main(process.argv.slice(2))
