import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { carried } from './manifest.ts'

/** What the package carries of others, with their notices. */
export function thirdPartyNotices(root: string): string {
  const sections = carried.map((name) => {
    const folder = join(root, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const notice = readFileSync(join(folder, 'NOTICE'), 'utf8').trim()
    return `## ${name} ${version}, ${license}\n\n\`src/docs/swagger-ui/\`, unchanged; its licence is there.\n\n${notice}\n`
  })
  const console = `## The console\n\n${consoleNotices(root)}`
  return `# What this package carries of others\n\n${[...sections, console].join('\n')}`
}

/** The packages that the build of the console contains, with their licences; the build writes them down. */
function consoleNotices(root: string): string {
  const dist = join(root, 'console/dist')
  const { folder } = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'))
  const text = readFileSync(join(dist, folder, 'licenses.md'), 'utf8')
  return text.replace(/^# .*\n+/, '').replaceAll(/^(#+) /gm, '$1# ')
}
