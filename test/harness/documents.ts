import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PostgresServer } from '../processes/postgres.ts'
import { repositoryRoot } from '../processes/process.ts'

/** `hasOwnTerminal`: the paragraph in front of the block says that it is for a second or third terminal. */
type Block = { language: string; text: string; hasOwnTerminal: boolean }
export type Document = { path: string; blocks: Block[] }

/** README.md and everything below docs/, with their fenced blocks in order. */
export function documents(): Document[] {
  const paths = globSync(['README.md', 'docs/**/*.md'], { cwd: repositoryRoot }).sort()
  return paths.map((path) => ({ path, blocks: blocksOf(path) }))
}

/** The text of a file below `docs/examples/`. */
export function example(path: string): string {
  return readFileSync(join(repositoryRoot, 'docs/examples', path), 'utf8')
}

function blocksOf(path: string): Block[] {
  const text = readFileSync(join(repositoryRoot, path), 'utf8')
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', block = ''] = match
    const before = text.slice(0, match.index).trimEnd().split('\n\n').at(-1) ?? ''
    return { language, text: block, hasOwnTerminal: /\b(?:second|third)\s+terminal\b/.test(before) }
  })
}

/** Ids in responses and messages; those of a store depend on what it was used for. */
const someId = /("(?:id|petId|categoryId)":|\bPet|\b[Oo]rder|theid)\d{1,9}(?!\d)/g

/**
 * Whether an output matches a document: white space is ignored, an ellipsis stands for anything, and ids may differ, except
 * for those that a double cannot hold.
 */
export function isAsShown(output: string, shown: string): boolean {
  const plain = (text: string) => text.replaceAll(/\s+/g, '').replaceAll(someId, '$1#')
  const pattern = plain(shown).split('…').map(RegExp.escape).join('[^"]*')
  return new RegExp(`^${pattern}$`).test(plain(output))
}

/** Runs the statements of a block, in the database that its first line may name: `-- in the database petstore`. */
export async function runSql(server: PostgresServer, block: string): Promise<void> {
  const database = /^-- in the database (\w+)\b/.exec(block)?.[1]
  // One by one: a database cannot be created within a transaction block.
  for (const statement of block.split(/;\n/).filter((text) => text.trim() !== '')) {
    await server.query(statement, database)
  }
}
