import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A document that is served at `/guides/NAME`. */
export type Guide = {
  name: string
  title: string
  /** From the folder of the program. */
  path: string
  about: string
  /** Whether the front door lists it too. */
  isFirst: boolean
}

/** A line of the list: `- [TITLE](PATH): ABOUT`, with the link in bold where the front door has it too. */
const entry = /^- (\*\*)?\[([^\]]+)\]\(([^)]+)\)(?:\*\*)?: (.+)$/

/** The documents for users, as `docs/README.md` lists them. */
export const guideGroups = readFileSync(new URL('../../../docs/README.md', import.meta.url), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [title = '', ...lines] = section.split('\n')
    return { title, guides: lines.flatMap(readEntry) }
  })

export const guides: readonly Guide[] = guideGroups.flatMap(({ guides }) => guides)

const examplesFolder = fileURLToPath(new URL('../../../docs/examples', import.meta.url))

/** The programs and files that guides link to, by their paths below `docs/`; each is served as text below `/guides/`. */
export const examples: readonly string[] = readdirSync(examplesFolder, {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => relative(examplesFolder, join(parentPath, name)))
  .map((path) => `examples/${path.replaceAll(sep, '/')}`)

function readEntry(line: string): Guide[] {
  const [, bold, title, target, about] = entry.exec(line) ?? []
  if (title === undefined || target === undefined || about === undefined) return []
  const path = posix.join('docs', target)
  return [{ name: nameOf(path), title, path, about, isFirst: bold !== undefined }]
}

function nameOf(path: string): string {
  const name = posix.basename(path, '.md')
  return name === 'README' ? posix.basename(posix.dirname(path)) : name
}

/**
 * Where a link of a document leads on its page; a file that is not served has no address. `folder` is the relative address
 * of `/guides/`.
 */
export function addressOf(target: string, path: string, folder = ''): string | undefined {
  if (/^https?:/.test(target)) return target
  const [file = '', fragment] = target.split('#')
  if (file === '' && folder === '') return target
  const meant = file === '' ? path : posix.join(posix.dirname(path), file)
  const hash = fragment === undefined ? '' : `#${fragment}`
  if (meant === 'openapi.json') return `${folder}../openapi.json`
  if (examples.some((path) => meant === `docs/${path}`)) return folder + meant.slice('docs/'.length)
  const guide = guides.find((one) => one.path === meant)
  return guide && `${folder}${guide.name}${hash}`
}
