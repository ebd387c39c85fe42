import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

type Defaults = Record<string, string | number | boolean>
type Options<T extends Defaults> = {
  [Name in keyof T]: T[Name] extends number ? number : T[Name] extends boolean ? boolean : string
}

/**
 * The options of a program by name, and its positionals. An option takes a number where its default is one, and no value where it is
 * false. Throws where an option is unknown or not a number, and at positionals unless they are allowed.
 */
export function readOptions<T extends Defaults>(defaults: T, { allowPositionals = false } = {}) {
  const types = Object.entries(defaults).map(([name, value]) => {
    const type = typeof value === 'boolean' ? 'boolean' : 'string'
    return [name, { type, default: type === 'string' ? String(value) : value }]
  })
  const { values, positionals } = parseArgs({
    options: Object.fromEntries(types) as ParseArgsOptionsConfig,
    allowPositionals,
  })
  const read = Object.entries(values).map(([name, value]) => {
    const isNumber = typeof defaults[name] === 'number'
    if (isNumber && Number.isNaN(Number(value))) throw new Error(`--${name} takes a number.`)
    return [name, isNumber ? Number(value) : value]
  })
  return { ...(Object.fromEntries(read) as Options<T>), positionals: positionals as string[] }
}
