import { circlesIn } from './find-circles.ts'
import { modulesOf } from './modules.ts'
import { type Files, itHolds } from './repository.ts'

const chainBlock = /^```imports\n([\s\S]*?)^```$/m

/** The lines of the chain of ARCHITECTURE.md, each with its folders. */
function chainOf(files: Files): string[][] {
  const block = chainBlock.exec(files.get('ARCHITECTURE.md') ?? '')?.[1] ?? ''
  return block
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' · '))
}

/** The place of a file in the chain: its folder in `src`, a file there without its ending, or `bin/launch`. */
function placeOf(path: string): string | undefined {
  return /^(?:src\/([^/.]+)|(bin\/launch|bin)\/)/.exec(path)?.slice(1).find(Boolean)
}

function findUpwardImports(files: Files): string[] {
  const chain = chainOf(files)
  const rankOf = (place: string) => chain.findIndex((line) => line.includes(place))
  const modules = modulesOf(files).filter(({ path, isTest }) => path.startsWith('src/') && !isTest)
  return modules.flatMap(({ path, imports }) => {
    const own = placeOf(path) ?? ''
    if (rankOf(own) === -1) return [`${path}: ARCHITECTURE.md does not place ${own} in its chain.`]
    return imports.flatMap(({ target }) => {
      const other = placeOf(target ?? '')
      if (other === undefined || other === own || rankOf(own) < rankOf(other)) return []
      return [`${path} imports ${target}, against the chain of ARCHITECTURE.md.`]
    })
  })
}

function findPlacesOfNothing(files: Files): string[] {
  const places = new Set([...files.keys()].map(placeOf))
  return chainOf(files)
    .flat()
    .filter((name) => !places.has(name))
    .map((name) => `ARCHITECTURE.md has ${name} in its chain, which does not exist: remove it.`)
}

/** Imports between the folders of one folder: each folder with those that its files import from, with their own folders. */
function folderGraph(files: Files): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const { path, imports, isTest } of modulesOf(files)) {
    if (isTest || !path.startsWith('src/')) continue
    for (const { target = '' } of imports) {
      const from = path.split('/')
      const to = target.split('/')
      const depth = from.findIndex((name, index) => name !== to[index])
      // What is directly in a folder may use the folders in it, and they what is directly in it.
      if (depth < 1 || depth === from.length - 1 || depth >= to.length - 1) continue
      const folder = from.slice(0, depth + 1).join('/')
      graph.set(folder, (graph.get(folder) ?? new Set()).add(to.slice(0, depth + 1).join('/')))
    }
  }
  return graph
}

function findFolderCircles(files: Files): string[] {
  return circlesIn(folderGraph(files)).map(
    (circle) => `${circle.join(' → ')} is a circle of folders: move what both need below both.`,
  )
}

const chain = 'http\ndb · config\ncontract\n'
const architecture = { 'ARCHITECTURE.md': `\`\`\`imports\n${chain}\`\`\`\n` }

itHolds('imports go down the chain of ARCHITECTURE.md', findUpwardImports, [
  { ...architecture, 'src/contract/a.ts': "import { b } from '../db/b.ts'" },
  { ...architecture, 'src/db/a.ts': "import { b } from '../config/b.ts'" },
  { ...architecture, 'src/new/a.ts': "import { b } from '../contract/b.ts'" },
  { ...architecture, 'src/db/a.ts': "import { b } from '../new/b.ts'" },
  { ...architecture, 'src/b.ts': 'const b = 1' },
])

itHolds('the chain of ARCHITECTURE.md names what there is', findPlacesOfNothing, [
  { ...architecture, 'src/http/a.ts': '', 'src/db/b.ts': '', 'src/contract/c.ts': '' },
])

itHolds('no folders form a circle', findFolderCircles, [
  {
    'src/db/a/one.ts': "import { two } from '../b/deep/two.ts'",
    'src/db/b/three.ts': "import { four } from '../c/four.ts'",
    'src/db/c/four.ts': "import { five } from '../a/five.ts'",
  },
  {
    'src/pages/one.ts': "import { two } from '../http/two.ts'",
    'src/http/deep/three.ts': "import { four } from '../../pages/four.ts'",
  },
])
