import assert from 'node:assert/strict'
import { globSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { claimOf, sectionOf } from '../harness/int64-guide.ts'
import {
  categoryId,
  createFirstPet,
  emptyStore,
  firstId,
  roundedIds,
} from '../harness/int64-store.ts'
import { run, versionOf } from '../harness/run.ts'
import { type Bench, NotTried, type Tool } from '../harness/tool.ts'

/** By the section of the guide: what prints the version, and what runs the program. */
const programs: Record<string, { version: string; command: string }> = {
  Python: { version: 'python3 --version', command: 'python3 int64.py' },
  Ruby: { version: 'ruby --version', command: 'ruby int64.rb' },
  Go: { version: 'go version', command: 'go run int64.go' },
  Java: { version: 'java --version', command: 'java Int64.java' },
}

type Language = {
  name: string
  /** The first cell of its row in the guide, which begins with the heading of its section. */
  row: string
  /** Folders of the local Maven repository, whose jars it needs. */
  jars?: string[]
  /** Turns the snippet into one that does what the row says. */
  asIs?: (text: string) => string
}

const languages: Language[] = [
  { name: 'python', row: 'Python, json' },
  { name: 'ruby', row: 'Ruby, json' },
  {
    name: 'go',
    row: 'Go, encoding/json into any',
    asIs: (text) => text.replace(/^.*UseNumber.*\n/m, ''),
  },
  { name: 'go-struct', row: 'Go, encoding/json into int64', asIs: withStruct },
  {
    name: 'gson',
    row: 'Java, Gson 2.13.2 into a Map',
    jars: ['com/google/code/gson/gson/2.13.2'],
    asIs: (text) => text.replace(/^.*setObjectToNumberStrategy.*\n/m, ''),
  },
  {
    name: 'jackson',
    row: 'Java, Jackson 2.18.2',
    jars: ['core', 'databind', 'annotations'].map(
      (part) => `com/fasterxml/jackson/core/jackson-${part}/2.18.2`,
    ),
    asIs: withJackson,
  },
]

function withStruct(text: string): string {
  return text
    .replace(/^.*UseNumber.*\n/m, '')
    .replace('var pets []map[string]any', 'var pets []Pet')
    .replace('var created map[string]any', 'var created Pet')
    .replace('pets[0]["categoryId"]', 'pets[0].CategoryID')
    .replace('pets[0]["id"], created["categoryId"]', 'pets[0].ID, created.CategoryID')
    .replace('func main', 'type Pet struct {\n\tID, CategoryID int64\n}\n\nfunc main')
}

function withJackson(text: string): string {
  return text
    .replace(/^import com\.google.*\n/gm, '')
    .replace(
      /static final Gson GSON = [\s\S]*?;/,
      'static final ObjectMapper JSON = new ObjectMapper();',
    )
    .replace(
      'import java.net.URI',
      'import com.fasterxml.jackson.databind.ObjectMapper;\nimport java.net.URI',
    )
    .replaceAll('GSON.fromJson', 'JSON.readValue')
    .replaceAll('GSON.toJson', 'JSON.writeValueAsString')
}

const mavenRepository = join(homedir(), '.m2/repository')

function jarIn(folder: string): string | undefined {
  return globSync(join(mavenRepository, folder, '*.jar'))[0]
}

/** What docs/guides/int64.md says of languages, where they are installed. */
export const int64Languages: Tool[] = languages.map((language) => ({
  name: `int64:${language.name}`,
  packages: [],
  firstId,
  async check(bench) {
    const { row, jars = [], asIs } = language
    const [heading = ''] = row.split(',', 1)
    const about = await versionOf(programs[heading]?.version ?? '', bench.directory)
    if (about === undefined) throw new NotTried(`${heading} is not installed`)
    const missing = jars.filter((folder) => jarIn(folder) === undefined)
    if (missing.length > 0) throw new NotTried(`${mavenRepository} has no ${missing}`)
    const claim = claimOf(row)
    const [file] = sectionOf(heading).files
    assert.ok(file, `${heading} has a file`)
    const changed = asIs?.(file.text) ?? file.text
    assert.equal(await outcomeOf(bench, language, file.name, changed), claim, `${row}, as it is`)
    if (claim === 'exact') return `exact (${about})`
    const outcome = await outcomeOf(bench, language, file.name, file.text)
    assert.equal(outcome, 'exact', `${row}, by the guide`)
    return `${claim} as it is, is exact by the guide (${about})`
  },
  faults: [roundedIds],
}))

async function outcomeOf(
  bench: Bench,
  { row, jars = [] }: Language,
  fileName: string,
  text: string,
): Promise<string> {
  await emptyStore(bench)
  await createFirstPet(bench)
  writeFileSync(join(bench.directory, fileName), text)
  const [heading = ''] = row.split(',', 1)
  const [program = '', ...args] = programs[heading]?.command.split(' ') ?? []
  const classPath = jars.map(jarIn).join(delimiter)
  const env = { BASE_URL: bench.baseUrl, KEY: bench.key, CLASSPATH: classPath }
  const { exitCode, output } = await run(program, args, bench.directory, env)
  if (output.trim() === `${firstId} ${categoryId}`) return 'exact'
  return exitCode === 0 && /\b9\.?00719925474099/.test(output) ? 'rounds' : output
}
