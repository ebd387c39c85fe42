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
  return `# What this package carries of others\n\n${sections.join('\n')}`
}
