import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** MIT too. */
const own = readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8').trim()
const licenceFile = /^(?:licen[cs]e|copying|notice)(?:\.(?:md|txt))?$/i

/** What the package carries of others, with their licences and notices; `packages` are the paths of those in its modules. */
export function thirdPartyNotices(root: string, packages: readonly string[]): string {
  return `${noticesOf(root, packages)}\n## The console\n\n${consoleNotices(root)}`
}

/** The packages that are parts of the modules. Throws where one of them has no licence. */
export function noticesOf(root: string, packages: readonly string[]): string {
  const sections = packages.map((path) => sectionOf(join(root, path), 'In the modules of `lib/`.'))
  return `# What this package carries of others\n\n${sections.join('\n')}`
}

function sectionOf(folder: string, where: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { name, version, license } = manifest
  const files = readdirSync(folder).filter((file) => licenceFile.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (texts.length === 0) texts.push(standardText(manifest))
  const quoted = texts.map((text) => `\`\`\`text\n${text}\n\`\`\`\n`).join('\n')
  return `## ${name} ${version}, ${license}\n\n${where}\n\n${quoted}`
}

type Manifest = { name: string; license?: string; author?: string | { name: string } }

/** The text of a licence that a package names without its text. Throws for any other. */
function standardText({ name, license, author }: Manifest): string {
  const holder = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`)
  if (license === 'MIT') return own.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`)
  throw new Error(`${name} has no text of its licence, ${license}.`)
}

/** The packages that the build of the console contains, with their licences; the build writes them down. */
function consoleNotices(root: string): string {
  const dist = join(root, 'console/dist')
  const { folder } = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'))
  const text = readFileSync(join(dist, folder, 'licenses.md'), 'utf8')
  return text.replace(/^# .*\n+/, '').replaceAll(/^(#+) /gm, '$1# ')
}
