#!/usr/bin/env node
import { main } from '../src/commands/main.ts'

// What the store keeps, and the digests of its keys, are nobody else's to read.
process.umask(0o077)

process.exitCode = await main(process.argv.slice(2))
