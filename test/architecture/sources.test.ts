import { matchesGlob } from 'node:path'
import { sharingTests } from '../../tools/check/share-processes.ts'
import { type Module, modulesOf } from './modules.ts'
import { type Files, itHolds, type Rule } from './repository.ts'

/** Statements as we write them, in lower case, and in upper case. */
const sql =
  /\b(?:select\s[\s\S]*\sfrom\s|insert\s(?:or\s\w+\s)?into\s|update\s\w+\sset\s|delete\sfrom\s|(?:create|drop|alter)\s(?:table|index|unique|trigger|view|virtual)\s|pragma\s\w+|begin\simmediate|savepoint\s\w+)/
const shouted = /^\s*[A-Z]{4,}\s/
const isSql = (text: string) => sql.test(shouted.test(text) ? text.toLowerCase() : text)

const mayHoldSql = /(?:\/queries\.ts|^src\/db\/.*|\.test\.ts)$|^test\//
const mayKnowTimeAndChance =
  /^(?:src\/(?:context\/.*|timers\.ts)|bin\/.*|client\/.*|console\/.*|tools\/.*|test\/.*)$/

const timeAndChance =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandom(?:Bytes|UUID|Int|Fill)\b|\bgetRandomValues\b/

/** Also what runs for each test of a process: at the root of a file it applies to the tests of all files. */
const ofTheProcess =
  /\bprocess\.(?:(?:chdir|umask|on|once|exit|exitCode)\b|kill\(process\.pid\b|env\.\w+ = )|\bdelete process\.env\b|^(?:before(?:Each)?|afterEach)\(/m

function findStraySql(files: Files): string[] {
  const outside = modulesOf(files).filter(({ path }) => !mayHoldSql.test(path))
  return outside.flatMap(({ path, literals }) => {
    const statement = literals.find(isSql)
    if (statement === undefined) return []
    const start = statement.trim().slice(0, 40)
    return [
      `${path} holds SQL ('${start}'): move it to the queries.ts of its folder, or to src/db/.`,
    ]
  })
}

const findClocks = refuse(
  timeAndChance,
  ({ path }) => mayKnowTimeAndChance.test(path),
  'take the clock or the random bytes from the context',
)

const findStrayHabits = refuse(
  ofTheProcess,
  ({ path }) => !matchesGlob(path, sharingTests),
  'this file shares a process with others (tools/check/share-processes.ts); leave that as it is, or take the file off that list',
)

const findAsyncSuites = refuse(
  /\bdescribe\w*\([^(]*\basync \(/,
  ({ path }) => !matchesGlob(path, sharingTests),
  'the tests of an async suite are not its own where promises are not tracked (tools/check/untracked-promises.ts); await in before()',
)

function refuse(pattern: RegExp, isAllowed: (module: Module) => boolean, remedy: string): Rule {
  return (files) => {
    const others = modulesOf(files).filter((module) => !isAllowed(module))
    return others.flatMap(({ path, code }) => {
      const found = pattern.exec(code)?.[0]
      return found === undefined ? [] : [`${path} uses ${found}: ${remedy}.`]
    })
  }
}

itHolds('SQL is only in queries.ts, src/db/ and migrations/', findStraySql, [
  { 'src/features/pets/create-pet.ts': "const a = 'select id from pets'" },
  { 'src/app/app.ts': 'const a = `\n  insert into pets (id)\n  values ($1)`' },
  { 'bin/petstore.js': "sql.exec('PRAGMA optimize')" },
])

itHolds('time and randomness come from the context', findClocks, [
  { 'src/features/pets/create-pet.ts': 'const now = Date.now()' },
  { 'src/features/pets/create-pet.ts': 'const now = new Date()' },
  { 'src/features/keys/key-format.ts': "import { randomBytes } from 'node:crypto'" },
  { 'src/http/route.test.ts': 'const id = Math.random()' },
])

itHolds('test files that share a process do not change it', findStrayHabits, [
  { 'src/http/server.test.ts': 'process.umask(0)' },
  { 'src/http/server.test.ts': "process.env.HOME = '/'" },
  { 'test/http/json.test.ts': "import { afterEach } from 'node:test'\nafterEach(() => stop())" },
])

itHolds('suites of test files that share a process are not async', findAsyncSuites, [
  { 'test/http/json.test.ts': "describe('JSON', async () => {" },
])
