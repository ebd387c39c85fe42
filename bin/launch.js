// Runs a script of the repository that needs the development packages, as the scripts of package.json do.

import { launch } from './launch/launch.js'

const [script, ...args] = process.argv.slice(2)
await launch(script, args, { withDev: true })
