#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// A third of a start is compiling; where this folder cannot be written, it is done anew each time.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))

// What the store keeps, and the digests of its keys, are nobody else's to read.
process.umask(0o077)

const { main } = await import('../src/cli/main.ts')
process.exitCode = await main(process.argv.slice(2))
