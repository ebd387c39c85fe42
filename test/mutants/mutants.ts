import { contract } from './contract.ts'
import { durability } from './durability.ts'
import { orders } from './orders.ts'
import { postgres } from './postgres.ts'

export type Edit = { file: string; find: string; replaceBy: string }

/** Small wrong edits of the source, and the tests that must turn red with them. */
export type Mutant = {
  /** What the program would do wrong. */
  fault: string
  edits: Edit[]
  tests: string[]
  /** The engine of those tests; SQLite unless given. */
  engine?: 'postgres'
  /** Set when those tests can only run as root. */
  needsRoot?: true
}

export const mutants: Mutant[] = [durability, orders, contract, postgres].flatMap(mutantsIn)

/**
 * Reads mutants: a fault, its tests, and each edit as a diff of a file. Its `-` lines are a text that the file has once, which
 * the `+` lines replace; without any, whole lines are deleted.
 */
function mutantsIn(text: string): Mutant[] {
  const blocks = text.trim().split(/\n(?=\S)/)
  return blocks.map((block) => {
    const [fault = '', tests = '', ...diff] = block.split('\n')
    const [, how, paths = ''] = /^ {2}tests( on postgres| as root)?: (.*)$/.exec(tests) ?? []
    return {
      ...{ fault, tests: paths.split(' '), edits: editsIn(diff) },
      ...(how === ' on postgres' && { engine: 'postgres' as const }),
      ...(how === ' as root' && { needsRoot: true as const }),
    }
  })
}

function editsIn(diff: readonly string[]): Edit[] {
  const edits = diff.join('\n').split(/^(?= {2}[^ +-])/m)
  return edits.map((edit) => {
    const [file = '', ...lines] = edit.split('\n')
    const textOf = (sign: string) =>
      lines.filter((line) => line.startsWith(`  ${sign}`)).map((line) => line.slice(4))
    const [find, replaceBy] = [textOf('-').join('\n'), textOf('+')]
    return replaceBy.length > 0
      ? { file: file.trim(), find, replaceBy: replaceBy.join('\n') }
      : { file: file.trim(), find: `${find}\n`, replaceBy: '' }
  })
}
