import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../processes/process.ts'
import { packagesFolder } from './packages.ts'
import { runNode } from './run.ts'
import type { Bench } from './tool.ts'

type Compilation = {
  /** Whether the generated code compiles with exactOptionalPropertyTypes. */
  exactOptionalPropertyTypes: boolean
}

/** Compiles the program of this name in `clients/` with the code that was generated for it, and runs it. */
export async function runClient(
  { directory, baseUrl, key }: Pick<Bench, 'directory' | 'baseUrl' | 'key'>,
  name: string,
  compilation: Compilation,
): Promise<string> {
  await compileClient(directory, name, compilation)
  return (await runNode([`clients/${name}.ts`, baseUrl, key], directory)).trim()
}

/** Throws the errors of the compiler. */
export async function compileClient(
  directory: string,
  name: string,
  { exactOptionalPropertyTypes }: Compilation,
): Promise<void> {
  const program = `clients/${name}.ts`
  for (const path of ['scenario', program]) {
    cpSync(join(packagesFolder, path), join(directory, path), { recursive: true })
  }
  const files = { files: [program], include: ['clients/generated'] }
  await compile(directory, { ...files, exactOptionalPropertyTypes })
}

/** Throws the errors of the compiler. Nothing is written. */
export async function compile(
  directory: string,
  { exactOptionalPropertyTypes, ...files }: Compilation & { files: string[]; include?: string[] },
): Promise<void> {
  const options = { ...compilerOptions, exactOptionalPropertyTypes }
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, ...files }),
  )
  await runNode([compiler, '--project', directory, '--pretty', 'false'], directory)
}

const modules = join(repositoryRoot, 'node_modules')
const compiler = join(modules, 'typescript/bin/tsc')
if (!existsSync(compiler)) throw new Error(`There is no ${compiler}.`)

const compilerOptions = {
  target: 'esnext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  typeRoots: [join(modules, '@types')],
  types: ['node'],
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
}
