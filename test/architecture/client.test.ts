import { modulesOf } from './modules.ts'
import { type Files, itHolds } from './repository.ts'

/** The parts of the contract kit that the client carries. */
const carried = ['src/contract/int64-json.ts', 'src/contract/problem.ts']

function findDependencies(files: Files): string[] {
  const modules = modulesOf(files).filter(({ path }) => path.startsWith('client/src/'))
  return modules.flatMap(({ path, imports }) => {
    const foreign = imports.find(
      ({ target }) => !target?.startsWith('client/src/') && !carried.includes(target ?? ''),
    )
    if (foreign === undefined) return []
    return [`${path} imports ${foreign.specifier}: the client depends on nothing.`]
  })
}

const ofOnePlatform = /\b(?:process|Buffer|require|Deno|Bun|window|document|setImmediate)\b(?!:)/

function findPlatforms(files: Files): string[] {
  const modules = modulesOf(files).filter(({ path }) => path.startsWith('client/src/'))
  return modules.flatMap(({ path, code }) => {
    const found = ofOnePlatform.exec(code)?.[0]
    return found === undefined ? [] : [`${path} uses ${found}, which not every platform has.`]
  })
}

itHolds(
  'the client imports itself, the codec of integers and the type of a problem alone',
  findDependencies,
  [
    { 'client/src/request.ts': "import { stringify } from 'qs'" },
    { 'client/src/request.ts': "import { randomUUID } from 'node:crypto'" },
    { 'client/src/settings.ts': "import { settings } from '../../src/config/settings.ts'" },
  ],
)

itHolds('the client uses what all platforms have', findPlatforms, [
  { 'client/src/settings.ts': 'const key = process.env.PETSTORE_KEY' },
  { 'client/src/reply.ts': 'const text = Buffer.from(bytes).toString()' },
])
