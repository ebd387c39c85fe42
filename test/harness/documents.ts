import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PostgresServer } from '../processes/postgres.ts'
import { repositoryRoot } from '../processes/process.ts'

type Block = { language: string; text: string }
export type Document = { path: string; blocks: Block[] }

/** README.md and everything below docs/, with their fenced blocks in order. */
export function documents(): Document[] {
  const paths = globSync(['README.md', 'docs/**/*.md'], { cwd: repositoryRoot }).sort()
  return paths.map((path) => ({ path, blocks: blocksOf(path) }))
}

function blocksOf(path: string): Block[] {
  const text = readFileSync(join(repositoryRoot, path), 'utf8')
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }))
}

/** A line that starts a service, which runs while the following lines are executed. */
const startsService = /^npm (?:start|run start:staging)\b|\bserve\b.* --port\b/

export type Step = { kind: 'service' | 'commands'; text: string }

/** A block of commands as steps: each service is a step, and so are the lines between two services. */
export function stepsOf(block: string): Step[] {
  const lines = block.split(/(?<!\\)\n/).filter((line) => line.trim() !== '')
  const steps: Step[] = []
  for (const line of lines) {
    const kind = startsService.test(line) ? 'service' : 'commands'
    const last = steps.at(-1)
    if (kind === 'commands' && last?.kind === 'commands') last.text += `\n${line}`
    else steps.push({ kind, text: line })
  }
  return steps
}

/** Whether an output matches a document: white space is ignored, and an ellipsis stands for anything. */
export function isAsShown(output: string, shown: string): boolean {
  const plain = (text: string) => text.replaceAll(/\s+/g, '')
  const pattern = plain(shown).split('…').map(RegExp.escape).join('[^"]*')
  return new RegExp(`^${pattern}$`).test(plain(output))
}

/** Runs the statements of a block, in the database that its first line may name: `-- in the database petstore`. */
export async function runSql(server: PostgresServer, block: string): Promise<void> {
  const database = /^-- in the database (\w+)\n/.exec(block)?.[1]
  // One by one: a database cannot be created within a transaction block.
  for (const statement of block.split(/;\n/).filter((text) => text.trim() !== '')) {
    await server.query(statement, database)
  }
}
