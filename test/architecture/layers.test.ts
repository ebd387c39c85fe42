import { type Module, modulesOf } from './modules.ts'
import { type Files, itHolds } from './repository.ts'

const notVerbs = ['feature.ts', 'contract.ts']
const edgesBlock = /^```feature edges\n([\s\S]*?)^```$/m

function findVerbsThatKnowHttp(files: Files): string[] {
  return sourceOfFeatures(files).flatMap(({ path, imports }) => {
    const isVerb = !notVerbs.some((name) => path.endsWith(`/${name}`))
    if (!isVerb || !imports.some(({ target }) => target?.startsWith('src/http/'))) return []
    return [
      `${path} imports from src/http: a verb takes and gives plain data, feature.ts does the rest.`,
    ]
  })
}

function findUnlistedEdges(files: Files): string[] {
  const edges = edgesBlock.exec(files.get('ARCHITECTURE.md') ?? '')?.[1]?.split('\n') ?? []
  const allowed = edges.map((edge) => edge.replace(/\s*(?:→|->)\s*/, ' → ').trim())
  return crossings(files).flatMap(({ from, to, path }) => {
    if (allowed.includes(`${from} → ${to}`)) return []
    return [
      `${path} reaches from ${from} to ${to}: avoid it, or list '${from} → ${to}' under \`feature edges\` in ARCHITECTURE.md.`,
    ]
  })
}

function findForeignQueries(files: Files): string[] {
  return crossings(files).flatMap(({ path, target }) => {
    if (!target.endsWith('/queries.ts')) return []
    return [
      `${path} imports ${target}: the queries of a feature are its own, call one of its verbs.`,
    ]
  })
}

/** The modules that the database may import besides its own: the kit of which columns follow, what an expected error is, states, timers; what loads its worker quickly. */
const dbMayImport =
  /^(?:src\/(?:db\/.*|states\.ts|timers\.ts|contract\/(?:expected-error|instant|int64-json|member|text-rules|type)\.ts)|bin\/launch\/load-quickly\.js)$/

function findDbThatKnowsOthers(files: Files): string[] {
  const db = modulesOf(files).filter(({ path, isTest }) => path.startsWith('src/db/') && !isTest)
  return db.flatMap(({ path, imports }) => {
    const other = imports.find(({ target }) => target !== undefined && !dbMayImport.test(target))
    if (other === undefined) return []
    return [`${path} imports ${other.target}: src/app/app.ts hands the database what it needs.`]
  })
}

/** What an engine offers to administration, beside `src/db/doors/`. */
const doors = [
  ...['copying/store-writer', 'destination'].map((name) => `src/db/sqlite/${name}.ts`),
  ...['address', 'hold', 'archive-store', 'pool'].map((name) => `src/db/postgres/${name}.ts`),
]

function findAdminInsideOfEngines(files: Files): string[] {
  const admin = modulesOf(files).filter(
    ({ path, isTest }) => path.startsWith('src/admin/') && !isTest,
  )
  return admin.flatMap(({ path, imports }) =>
    imports.flatMap(({ target = '' }) =>
      !/^src\/db\/(?:sqlite|postgres)\//.test(target) || doors.includes(target)
        ? []
        : [`${path} imports ${target}, which is no door of that engine.`],
    ),
  )
}

/** A table as the storage of a feature declares it. */
const declaredTables = /\{\s*name: '(\w+)'/g

function findDbThatNamesTables(files: Files): string[] {
  const tables = [...files]
    .filter(([path]) => /^src\/features\/[^/]+\/storage\.ts$/.test(path))
    .flatMap(([, text]) => [...text.matchAll(declaredTables)].map(([, name]) => name))
  const names = new RegExp(
    `\\b(?:from|into|update|join|table)\\s+(?:${tables.join('|') || '-'})\\b`,
  )
  return modulesOf(files)
    .filter(({ path, isTest }) => path.startsWith('src/db/') && !isTest)
    .flatMap(({ path, literals }) => {
      const found = literals.map((literal) => names.exec(literal)?.[0]).find(Boolean)
      return found ? [`${path} says '${found}': only features know their tables.`] : []
    })
}

const columnsBlock = /^```columns of others\n([\s\S]*?)^```$/m
const writes =
  /\b(?:insert into (\w+)|delete from (\w+)|update (\w+) set ([\s\S]*?)(?= where | from | returning |$))/g

/** Writes of tables and columns that another feature owns. The feature of a table inserts its whole row. */
function findForeignWrites(files: Files): string[] {
  const owners = new Map<string, string>()
  for (const [path, text] of files) {
    const feature = /^src\/features\/([^/]+)\/storage\.ts$/.exec(path)?.[1]
    if (feature === undefined) continue
    for (const [, table = ''] of text.matchAll(declaredTables)) owners.set(table, feature)
  }
  const block = columnsBlock.exec(files.get('ARCHITECTURE.md') ?? '')?.[1] ?? ''
  for (const line of block.split('\n').filter(Boolean)) {
    const [feature = '', columns = ''] = line.split(': ')
    for (const column of columns.split(' ')) owners.set(column, feature)
  }
  return sourceOfFeatures(files).flatMap(({ path, literals }) =>
    literals.flatMap((literal) =>
      writtenBy(literal)
        .filter((names) => ownerOf(owners, names) !== featureOf(path))
        .map((names) => `${path} writes ${names[0]}, which is not of its feature.`),
    ),
  )
}

/** What a statement writes: each a column with its table, or a table. */
function writtenBy(statement: string): string[][] {
  return [...statement.matchAll(writes)].flatMap(([, inserted, deleted, updated, set = '']) => {
    const table = inserted ?? deleted
    if (table !== undefined) return [[table]]
    const columns = [...set.matchAll(/(?:^|,)\s*(\w+)\s*=/g)].map(([, column]) => column)
    return columns.map((column) => [`${updated}.${column}`, updated ?? ''])
  })
}

/** The owner of the column where it has one, else that of its table. */
function ownerOf(owners: ReadonlyMap<string, string>, names: string[]): string | undefined {
  return names.map((name) => owners.get(name)).find((owner) => owner !== undefined)
}

/** What the console is built of; each part imports only from those in front of it. A folder that `pages.ts` imports is a page. */
const consoleParts = [
  ...['theme', 'base', 'api', 'shared', 'filters', 'table', 'editor', 'history'],
  ...['page', 'pages.ts', 'sign-in', 'frame', 'router.tsx', 'main.tsx'],
]

function findConsoleThatReachesUp(files: Files): string[] {
  const modules = modulesOf(files).flatMap((module) => {
    const name = consoleNameOf(module.path)
    return name === undefined ? [] : [{ ...module, name }]
  })
  const pages = files.get('console/src/pages.ts') ?? ''
  const isPage = (name: string) => !consoleParts.includes(name) && pages.includes(`'./${name}/`)
  const rankOf = (name: string) => consoleParts.indexOf(isPage(name) ? 'page' : name)
  const reachesInto = (from: string, to: string) =>
    modules.some(
      ({ name, imports }) =>
        name === from && imports.some(({ target }) => consoleNameOf(target) === to),
    )
  return modules.flatMap(({ path, name, imports }) => {
    if (rankOf(name) === -1)
      return [`${path} is in a part of the console that layers.test.ts does not name.`]
    return imports.flatMap(({ target }) => {
      const other = consoleNameOf(target)
      if (other === undefined || other === name || rankOf(other) < rankOf(name)) return []
      // Two pages that import from each other are reported once.
      if (isPage(name) && isPage(other) && (other < name || !reachesInto(other, name))) return []
      return [`${path} reaches up to ${target}.`]
    })
  })
}

/** The folder of the console that a file is in; at the root the name of the file. */
function consoleNameOf(path = ''): string | undefined {
  return /^console\/src\/([^/]+)/.exec(path)?.[1]
}

type Crossing = { from: string; to: string; path: string; target: string }

function crossings(files: Files): Crossing[] {
  return sourceOfFeatures(files).flatMap(({ path, imports }) => {
    const from = featureOf(path) ?? ''
    return imports.flatMap(({ target = '' }) => {
      const to = featureOf(target)
      return to === undefined || to === from ? [] : [{ from, to, path, target }]
    })
  })
}

function sourceOfFeatures(files: Files): Module[] {
  const modules = modulesOf(files).filter(({ isTest }) => !isTest)
  return modules.filter(({ path }) => featureOf(path) !== undefined)
}

function featureOf(path: string | undefined): string | undefined {
  return /^src\/features\/([^/]+)\//.exec(path ?? '')?.[1]
}

itHolds('verbs know no HTTP', findVerbsThatKnowHttp, [
  { 'src/features/pets/create-pet.ts': "import { reply } from '../../http/reply.ts'" },
  { 'src/features/keys/queries.ts': "import type { Reply } from '../../http/reply.ts'" },
])

itHolds('a feature imports from another only along an edge of ARCHITECTURE.md', findUnlistedEdges, [
  { 'src/features/orders/create-order.ts': "import { getPet } from '../pets/get-pet.ts'" },
  {
    'ARCHITECTURE.md': '```feature edges\norders → pets\n```\n',
    'src/features/orders/create-order.ts': "import { getPet } from '../pets/get-pet.ts'",
    'src/features/pets/get-pet.ts': "import { listOrders } from '../orders/list-orders.ts'",
  },
])

itHolds('no feature uses the queries of another', findForeignQueries, [
  {
    'ARCHITECTURE.md': '```feature edges\norders → pets\n```\n',
    'src/features/orders/create-order.ts': "import { selectPets } from '../pets/queries.ts'",
  },
])

const petsStorage = "export const storage = { tables: [{ name: 'pets' }] }"

itHolds('a feature writes only its own tables and columns', findForeignWrites, [
  {
    'src/features/pets/storage.ts': petsStorage,
    'src/features/sales/queries.ts': "const text = 'update pets set name = ?2 where id = ?1'",
  },
  {
    'ARCHITECTURE.md': '```columns of others\nsales: pets.on_hand\n```\n',
    'src/features/pets/storage.ts': petsStorage,
    'src/features/pets/queries.ts':
      "const text = 'update pets set stated = ?2, on_hand = ?3 where id = ?1'",
  },
  {
    'src/features/pets/storage.ts': petsStorage,
    'src/features/sales/queries.ts': "const text = 'delete from pets where id = ?1'",
  },
])

itHolds('the database names no table of a feature', findDbThatNamesTables, [
  {
    'src/features/pets/storage.ts': petsStorage,
    'src/db/postgres/sql.ts': "const text = 'select id from pets'",
  },
])

itHolds('a folder of the console imports only from those below it', findConsoleThatReachesUp, [
  {
    'console/src/table/cells.tsx': "import { PetForm } from '../pets/pet-form.tsx'",
    'console/src/pages.ts': "import { PetsPage } from './pets/pets-page.tsx'",
    'console/src/pets/pets-page.tsx': '',
  },
  { 'console/src/frame/frame.tsx': "import { router } from '../router.tsx'" },
  { 'console/src/new/form.tsx': "import { client } from '../api/client.ts'" },
  {
    'console/src/frame/frame.tsx': "import { pages } from '../pages.ts'",
    'console/src/pages.ts': "import { PetsPage } from './pets/pets-page.tsx'",
    'console/src/pets/pets-page.tsx': "import { pages } from '../pages.ts'",
  },
  {
    'console/src/pages.ts': "import './pets/pets-page.tsx'; import './orders/orders-page.tsx'",
    'console/src/pets/pets-page.tsx': "import { OrderForm } from '../orders/order-form.tsx'",
    'console/src/orders/orders-page.tsx': "import { PetForm } from '../pets/pet-form.tsx'",
  },
])

itHolds('the database imports nothing else of src/', findDbThatKnowsOthers, [
  { 'src/db/open.ts': "import { settings } from '../config/settings.ts'" },
  {
    'src/db/sqlite/serving/writer.ts':
      "import { insertPets } from '../../../features/pets/queries.ts'",
  },
])

itHolds('administration reaches the engines through their doors', findAdminInsideOfEngines, [
  { 'src/admin/doctor/a.ts': "import { connect } from '../../db/sqlite/connection.ts'" },
])
