import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import type { Group } from '../../src/cli/arguments/define-command.ts'
import { root } from '../../src/cli/commands.ts'
import { exitCodes } from '../../src/config/exit-error.ts'
import type { Setting } from '../../src/config/read-setting.ts'
import { settings } from '../../src/config/settings.ts'
import { errorCodes } from '../../src/contract/error-codes.ts'
import { repositoryRoot } from '../processes/process.ts'

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')
const guide = ['settings', 'health'].map((name) => read(`docs/operations/${name}.md`)).join('\n')

/** The titles of all tests in this folder, as written in the source. */
const titles = globSync('test/cli/*.test.ts', { cwd: repositoryRoot }).flatMap((path) =>
  [...read(path).matchAll(/\bit(?:InFull)?\(\s*(['`])(.*?)\1,/gs)].map(([, , title = '']) => title),
)

/** The cells of the guide's table whose first heading is this. */
function tableOf(heading: string): string[][] {
  const start = guide.search(new RegExp(`^\\| ${heading} +\\|`, 'm'))
  const table = guide.slice(start).split('\n\n', 1)[0] ?? ''
  const rows = table.trim().split('\n').slice(2)
  return rows.map((row) =>
    row
      .slice(2, -2)
      .split(/ +\| +/)
      .map((cell) => cell.trim()),
  )
}

/** The commands and options that are parsed; `--environment` counts for `serve` alone. */
function parsedCommands({ commands }: Group = root, before = ''): string[] {
  return Object.entries(commands).flatMap(([name, target]) => {
    const command = `${before}${name}`
    if ('commands' in target) return parsedCommands(target, `${command} `)
    const options = Object.keys(target.options)
    const own = options.filter((option) => command === 'serve' || option !== 'environment')
    return [command, ...own.map((option) => `${command} --${option}`)]
  })
}

const commands = parsedCommands()

it('every command and option has a test whose title names it', () => {
  assert.ok(commands.length > 10)
  const untested = commands.filter((command) => {
    const [, words = '', option = ''] = /^([^-]+?) ?(--.*)?$/.exec(command) ?? []
    return !titles.some((title) => title.startsWith(words) && title.includes(option))
  })
  assert.deepEqual(untested, [])
})

it('the guide lists the settings as they are declared', () => {
  const rows = tableOf('setting')
  assert.deepEqual(
    rows,
    (Object.values(settings) as Setting<unknown>[]).map(
      ({ name, meaning, default: standard, example }) => [
        `\`${name}\``,
        meaning,
        standard,
        `\`${example}\``,
      ],
    ),
  )
})

it('every setting is set by a test', () => {
  const tests = globSync('{src,test}/**/*.test.ts', { cwd: repositoryRoot }).map(read).join('\n')
  const unset = Object.values(settings).filter(({ name }) => !tests.includes(`${name}: `))
  assert.deepEqual(unset, [])
})

it('the guide lists the exit codes as they are declared, and each has a test whose title names it', () => {
  const rows = tableOf('code').map(([code, name]) => [name, Number(code)])
  assert.deepEqual(rows, [['stopped', 0], ...Object.entries(exitCodes)])
  const untested = Object.entries(exitCodes).filter(
    ([reason, code]) => !titles.some((title) => title.startsWith(`${code} ${reason}: `)),
  )
  assert.deepEqual(untested, [])
})

it('docs/errors.md explains every error code, each with an example of its own', () => {
  const sections = read('docs/errors.md').split(/^### /m).slice(1)
  const explained = sections.map((section) => {
    const [, code, status] = /^`(\w+)` \((\d{3})\)\n\n\S/.exec(section) ?? []
    const example = JSON.parse(/```json\n([\s\S]*?)\n```/.exec(section)?.[1] ?? '{}') as Record<
      string,
      unknown
    >
    assert.deepEqual(Object.keys(example), ['code', 'message', 'status'], section)
    assert.deepEqual([example.code, example.status], [code, Number(status)])
    return [code, Number(status)]
  })
  const known = Object.entries(errorCodes).map(([code, { status }]) => [code, status])
  assert.deepEqual(explained.sort(), known.sort())
})
