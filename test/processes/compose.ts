import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { repositoryRoot } from './process.ts'

/** What `compose.yaml` says of a service. */
export type Service = {
  image: string
  build?: { context: string; dockerfile: string }
  environment: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  ports?: string[]
  volumes: string[]
  healthcheck?: { test: string[]; interval: string; timeout: string; retries: number }
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  stop_grace_period: string
  restart: string
}

export type Compose = { services: Record<'petstore' | 'postgres', Service>; volumes: object }

/** Reads `compose.yaml` with these variables. Throws, as compose does, where a variable that it requires is missing. */
export function readCompose(variables: Record<string, string>): Compose {
  const text = readFileSync(join(repositoryRoot, 'compose.yaml'), 'utf8')
  const filled = text.replace(/\$\{(\w+):\?([^}]*)\}/g, (_, name: string, message: string) => {
    const value = variables[name]
    if (!value) throw new Error(`required variable ${name} is missing a value: ${message}`)
    return value
  })
  return parseYaml(filled) as Compose
}

/** The named volume and its path of each mount. */
export function volumesOf({ volumes }: Service): { name: string; path: string }[] {
  return volumes.map((volume) => {
    const [name = '', path = ''] = volume.split(':')
    return { name, path }
  })
}

/** `10s` in milliseconds. */
export function durationMs(text: string): number {
  const [, seconds] = /^(\d+)s$/.exec(text) ?? []
  if (seconds === undefined) throw new Error(`${text} is no number of seconds.`)
  return Number(seconds) * 1_000
}
