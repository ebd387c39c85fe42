import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../processes/process.ts'

/** A file of the guide: the first line of its block is a comment that names it. */
type GuideFile = { name: string; text: string }
export type GuideSection = { files: GuideFile[]; commands: string[] }
type Row = { tool: string; asItIs: string }

const int64GuidePath = 'docs/guides/int64.md'

const guide = readFileSync(join(repositoryRoot, int64GuidePath), 'utf8')

/** The rows of the table, without links and backticks. */
function rowsOfInt64Guide(): Row[] {
  const lines = guide.match(/^\| (?!tool |---).*\|$/gm) ?? []
  return lines.map((line) => {
    const [tool = '', asItIs = ''] = line.slice(2).split(' | ').map(plain)
    return { tool, asItIs }
  })
}

/** What the guide says that a tool does as it is. Throws where the table has no such row. */
export function claimOf(tool: string): string {
  const row = rowsOfInt64Guide().find((one) => one.tool === tool)
  if (row === undefined) throw new Error(`${int64GuidePath} has no row of ${tool}.`)
  return row.asItIs
}

/** The files and commands below a heading. */
export function sectionOf(heading: string): GuideSection {
  const text = guide.split(/^## /m).find((one) => one.startsWith(`${heading}\n`))
  if (text === undefined) throw new Error(`${int64GuidePath} has no section ${heading}.`)
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  const section: GuideSection = { files: [], commands: [] }
  for (const [, language, block = ''] of blocks) {
    const name = /^(?:\/\/|#) (\S+\.\w+)$/m.exec(block.split('\n', 1)[0] ?? '')?.[1]
    if (language === 'console') section.commands.push(block)
    else if (name !== undefined) section.files.push({ name, text: block })
    else throw new Error(`A block of ${heading} in ${int64GuidePath} does not name its file.`)
  }
  return section
}

function plain(cell: string): string {
  return cell
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim()
}
