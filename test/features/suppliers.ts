import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../processes/process.ts'

const example = join(repositoryRoot, 'docs/examples/suppliers')
const guide = readFileSync(join(repositoryRoot, 'CONTRIBUTING.md'), 'utf8')
const [, entry = ''] =
  /^\/\/ in the list of src\/features\/features\.ts\n([\s\S]*?)^```$/m.exec(guide) ?? []
const [, page = ''] =
  /^\/\/ in the list of console\/src\/pages\.ts\n([\s\S]*?)^```$/m.exec(guide) ?? []

/** Adds the feature of docs/examples/suppliers/ to a copy of the source, as CONTRIBUTING.md says: its files and its entries. */
export function addSuppliers(root: string): void {
  cpSync(example, root, { recursive: true })
  for (const engine of ['sqlite', 'postgres']) {
    const path = (number: string) => join(root, `migrations/${engine}/${number}_suppliers.sql`)
    renameSync(path('NNNN'), path('9999'))
  }
  edit(root, 'src/features/features.ts', (list) =>
    list.replace(/^\] satisfies/m, `${entry}] satisfies`),
  )
  edit(root, 'console/src/pages.ts', (list) =>
    `import { SuppliersPage } from './suppliers/suppliers-page.tsx'\n${list}`.replace(
      /^\] as const$/m,
      `${page}] as const`,
    ),
  )
}

function edit(root: string, path: string, change: (text: string) => string): void {
  const text = readFileSync(join(root, path), 'utf8')
  writeFileSync(join(root, path), change(text))
}
