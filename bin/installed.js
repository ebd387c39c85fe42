#!/usr/bin/env node
import { launchInstalled } from './launch/launch-installed.js'

await launchInstalled(process.argv.slice(2))
