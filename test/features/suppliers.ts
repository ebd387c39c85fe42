import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../processes/process.ts'

const guide = readFileSync(join(repositoryRoot, 'docs/new-feature.md'), 'utf8')

/** The files of the guide by their path, without their first line, which names it. */
const files = [...guide.matchAll(/^```\w+\n(?:\/\/|--) (\S+)\n([\s\S]*?)^```$/gm)]
const [, entry = ''] =
  /^\/\/ in the list of src\/features\/features\.ts\n([\s\S]*?)^```$/m.exec(guide) ?? []

/** Adds the feature of docs/new-feature.md to a copy of the source, as the guide says: its files and its entries. */
export function addSuppliers(root: string): void {
  for (const [, path = '', text = ''] of files) {
    const added = join(root, path.replace('NNNN', '9999'))
    mkdirSync(dirname(added), { recursive: true })
    writeFileSync(added, text)
  }
  edit(root, 'src/features/features.ts', (list) =>
    list.replace(/^\] satisfies/m, `${entry}] satisfies`),
  )
  edit(root, 'console/src/pages.ts', (list) =>
    `import { suppliersPage } from './suppliers/page.ts'\n${list}`.replace(
      /,?\s*\] as const$/m,
      ', suppliersPage] as const',
    ),
  )
}

function edit(root: string, path: string, change: (text: string) => string): void {
  const text = readFileSync(join(root, path), 'utf8')
  writeFileSync(join(root, path), change(text))
}
