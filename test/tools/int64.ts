import { globSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { example } from '../harness/documents.ts'
import { repositoryRoot } from '../processes/process.ts'
import { behindPrism, type Files, type Tool } from './tool.ts'

const guidePath = 'docs/guides/int64.md'
const guide = readFileSync(join(repositoryRoot, guidePath), 'utf8')

/** In the local Maven repository. */
const gson = join(homedir(), '.m2/repository/com/google/code/gson/gson/2.13.2/gson-2.13.2.jar')

/** The id of the first pet and its category, as a tool that keeps every digit prints them, and one that does not. */
const exact = /^9007199254740993(?: 9007199254740995)?$/m
const rounded = /\b900719925474099[246]\b|9\.00719925474099/

type Row = Pick<Tool, 'command' | 'files' | 'needs'> & {
  prints?: RegExp
  /** Takes out of the snippet what keeps the digits. */
  leaveOut?: [string | RegExp, string]
}

/** By the first cell of the rows of the guide: how its snippets are run. */
const rows: Record<string, Row | 'tried by the gate'> = {
  'petstore-client': 'tried by the gate',
  'fetch and JSON.parse': client('fetch'),
  'openapi-typescript 7.13.0 with openapi-fetch 0.17.0': client(
    'openapi-fetch',
    'node generate.mjs',
  ),
  'hey-api: @hey-api/openapi-ts 0.99.0': client(
    'hey-api',
    'npx openapi-ts -f openapi-ts.config.mjs',
  ),
  'orval 8.38.0': client('orval', 'npx orval -c orval.config.mjs'),
  'swagger-typescript-api 13.13.0': client('swagger-typescript-api', 'node generate.mjs'),
  'swagger-client 3.39.0': client('swagger-client'),
  'Prism: @stoplight/prism-cli 5.16.0, prism proxy': {
    command: behindPrism(`
      key="Authorization: Bearer $KEY" type='Content-Type: application/json'
      pet='{"name":"Ada","categoryId":9007199254740995}'
      curl -s -H "$key" -H "$type" -d "$pet" http://127.0.0.1:$PORT/pets | grep -o '"categoryId":9007199254740996' &&
        curl -s -H "$key" $BASE_URL/pets/9007199254740994 | grep -o '"categoryId":9007199254740996'`),
    // No setting helps: what comes back, and what is stored.
    prints: /^"categoryId":9007199254740996\n"categoryId":9007199254740996$/m,
  },
  'scripts of Postman, newman 6.2.2': {
    command: 'newman run collection.json --env-var url=$BASE_URL --env-var key=$KEY',
    files: {
      'collection.json': collectionWith(example('int64/postman/post-response.js')),
    },
    prints: /sent 9007199254740993/,
    leaveOut: ["'id', 'petId', 'categoryId'", "'none'"],
  },
  'Python, json': snippet('int64.py', 'python3 int64.py', 'python3 --version'),
  'Ruby, json': snippet('int64.rb', 'ruby int64.rb', 'ruby --version'),
  'Go, encoding/json into any': {
    ...snippet('int64.go', 'go run int64.go', 'go version'),
    leaveOut: [/^.*UseNumber.*\n/gm, ''],
  },
  'Java, Gson 2.13.2 into a Map': {
    ...snippet(
      'Int64.java',
      `CLASSPATH=${gson} java Int64.java`,
      `java --version && test -e ${gson}`,
    ),
    leaveOut: [/^.*setObjectToNumberStrategy.*\n/gm, ''],
  },
  'jq 1.6': {
    command: 'sh int64.sh',
    files: filesOf('int64/int64.sh'),
    needs: 'test "$(jq --version)" = jq-1.6',
    leaveOut: [/int64 id$/gm, "jq '.[0].id'"],
  },
}

/** The rows of the guide. Throws where one is not tried, or is not there. */
export function int64Tools(): Tool[] {
  const lines = [...guide.matchAll(/^\| (?!tool |---)(.*?) \| (exact|rounds) \|/gm)]
  const plain = (cell: string) =>
    cell.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
  const claims = new Map(lines.map(([, tool = '', claim]) => [plain(tool), claim]))
  const others = new Set(claims.keys()).symmetricDifference(new Set(Object.keys(rows)))
  if (others.size > 0) throw new Error(`Not in both of ${guidePath} and int64.ts: ${[...others]}`)
  return Object.entries(rows).flatMap(([name, row]) =>
    row === 'tried by the gate' ? [] : [toolOf(name, row, claims.get(name) === 'rounds')],
  )
}

function toolOf(name: string, row: Row, rounds: boolean): Tool {
  const { prints = exact, leaveOut, ...others } = row
  if (rounds !== (leaveOut !== undefined) && prints === exact)
    throw new Error(`${guidePath}: the snippet of ${name} must ${rounds ? '' : 'not '}be needed.`)
  const fault = leaveOut && {
    fault: 'that its snippet is left out: it rounds',
    change: (files: Files) => {
      for (const [path, text] of Object.entries(files)) files[path] = text.replaceAll(...leaveOut)
    },
    prints: rounded,
  }
  const store = { firstId: 9007199254740993n }
  return { name: `int64: ${name}`, ...others, prints, store, ...(fault && { fault }) }
}

/** A generated client, compiled strictly with the program of its name in `clients/`. The guide names what generates it. */
function client(name: string, generate = ''): Row {
  if (!guide.includes(generate)) throw new Error(`${guidePath} does not name: ${generate}`)
  const read = (path: string) => readFileSync(join(import.meta.dirname, 'clients', path), 'utf8')
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: 'esnext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    typeRoots: [join(repositoryRoot, 'node_modules/@types')],
    types: ['node'],
  }
  return {
    // One generator tells the compiler not to check its code.
    command: `set -e\n${generate}
      find . -name '*.ts' -not -path './node_modules/*' | xargs sed -i '/@ts-nocheck/d'
      tsc --project .\nnode program.ts`,
    files: {
      ...filesOf('int64/int64.ts'),
      ...filesOf(`int64/${name}/*`),
      'carry.ts': read('carry.ts'),
      'program.ts': read(`${name}.ts`),
      'tsconfig.json': JSON.stringify({ compilerOptions }),
    },
    leaveOut: [/'id', 'petId', 'categoryId'|id\|petId\|categoryId/g, "'none'"],
  }
}

function snippet(file: string, command: string, needs: string): Row {
  return { command, needs, files: filesOf(`int64/${file}`) }
}

/** The files of `docs/examples/` that match, by their names. */
function filesOf(pattern: string): Files {
  const paths = globSync(pattern, { cwd: join(repositoryRoot, 'docs/examples') })
  return Object.fromEntries(paths.map((path) => [basename(path), example(path)]))
}

/** Gets the first pet, whose id the script keeps, and creates one whose category has that number. */
function collectionWith(script: string): string {
  const on = (code: string) => [{ listen: 'test', script: { exec: code.split('\n') } }]
  const header = [{ key: 'Content-Type', value: 'application/json' }]
  const body = { mode: 'raw', raw: '{"name":"Ada","categoryId":{{petId}}}' }
  const log = `console.log('sent ' + /"categoryId":(\\d+)/.exec(pm.response.text())[1])`
  return JSON.stringify({
    info: { name: 'int64', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/' },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}' }] },
    variable: [{ key: 'petId', value: '' }],
    item: [
      { name: 'first', request: '{{url}}/pets/9007199254740993', event: on(script) },
      {
        name: 'second',
        request: { method: 'POST', url: '{{url}}/pets', header, body },
        event: on(log),
      },
    ],
  })
}
