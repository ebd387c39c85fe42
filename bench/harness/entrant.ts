import { join } from 'node:path'
import type { Workload, WorkloadName } from '../workloads.ts'
import type { Server } from './server.ts'
import { pageSize, Wrong, walk } from './survey.ts'
import { type Load, writePaths } from './wrk.ts'

/** What a server is asked for, as paths by what a workload reads. */
export type Paths = Record<Workload['reads'], string[]>

/** A server that takes part, with the files of its paths. */
export type Entrant = { server: Server; files: Record<Workload['reads'] | 'mixed', string> }

/** Which servers take part in what, and why others do not. */
export type LineUp = {
  entrants: Record<Workload['engine'], Entrant[]>
  dashes: Record<string, Record<string, string>>
}

export function noteDash({ dashes }: LineUp, workload: WorkloadName, name: string, reason: string) {
  dashes[workload] = { ...dashes[workload], [name]: reason.replaceAll(/\s+/g, ' ') }
}

/** The servers without a dash for this workload. */
export function entrantsOf({ entrants, dashes }: LineUp, { name, engine, hasLimits }: Workload) {
  return entrants[engine].filter(
    ({ server }) => dashes[name]?.[server.name] === undefined && (hasLimits || !server.isLimit),
  )
}

export const firstPage = `/v1/pets?limit=${pageSize}`

type Walk = { name: 'pages' | 'available'; filter: string; ids: readonly number[] }

/** Walks the pages of a server, each of which has to be right. What it cannot list has no paths, but a reason. */
export async function surveyPaths(
  server: Server,
  walks: readonly Walk[],
  animals: readonly string[],
): Promise<{ paths: Paths; reasons: Partial<Record<Workload['reads'], string>> }> {
  const paths: Paths = { first: [firstPage], pages: [], available: [], animals: [...animals] }
  const reasons: Partial<Record<Workload['reads'], string>> = {}
  for (const { name, filter, ids } of walks) {
    try {
      paths[name] = await walk(server, { filter, ids })
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      reasons[name] = error.message
    }
  }
  return { paths, reasons }
}

/** What a workload asks of an entrant, for as long as it is said. */
export function loadOf({ server, files }: Entrant, workload: Workload): Omit<Load, 'durationMs'> {
  const { baseUrl, key } = server
  const { reads, createShare, createdKinds, connections } = workload
  return { baseUrl, key, pathsFile: files[reads], createShare, createdKinds, connections }
}

export function enter(server: Server, paths: Paths, directory: string): Entrant {
  const file = (kind: string, some: readonly string[]) => {
    const name = `${server.name} ${server.database} ${kind}`.replaceAll(/\W+/g, '-')
    return writePaths(join(directory, `${name}.txt`), some)
  }
  const { first, pages, available, animals } = paths
  const mixed = [...pages, ...available, ...animals.slice(0, pages.length)]
  return {
    server,
    files: {
      first: file('first', first),
      pages: file('pages', pages),
      available: file('available', available),
      animals: file('animals', animals),
      mixed: file('mixed', mixed),
    },
  }
}
