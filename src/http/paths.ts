import type { FastifyInstance } from 'fastify'
import type { Operation } from '../contract/operation.ts'
import { ServiceError } from '../contract/service-error.ts'
import { nearestName } from '../nearest-name.ts'

export type Paths = {
  /** The methods of a path, or of all paths for `*`. */
  methodsOf(path: string): string[]
  /** The nearest paths to one that does not exist. */
  near(path: string): string[]
  /** The operations of a path. */
  operationsOf(path: string): readonly Operation[]
  /** Whether a path is a base address of operations, or below one. */
  isBelowBase(path: string): boolean
}

type Route = { segments: string[]; methods: Set<string>; operations: Operation[] }

/** What pages load, and other spellings of their addresses: nobody asks for these by hand. */
const partOfPage = /^\/(?:assets\/|console\/.|(?:docs|guides)\/$)/

/** Records every added route, to distinguish a wrong method from a wrong path. */
export function watchRoutes(app: FastifyInstance): Paths {
  const routes = new Map<string, Route>()
  const bases = new Set<string>()
  app.addHook('onRoute', ({ url, method, config: { operation, base } = {} }) => {
    const own = { segments: url.split('/'), methods: new Set(['OPTIONS']), operations: [] }
    const route: Route = routes.get(url) ?? own
    for (const name of [method].flat()) route.methods.add(name)
    if (operation) route.operations.push(operation)
    if (base) bases.add(base)
    routes.set(url, route)
  })

  function routesAt(path: string): Route[] {
    const all = [...routes.values()]
    const segments = path.split('/')
    return path === '*' ? all : all.filter((route) => isAt(route, segments)).slice(0, 1)
  }

  return {
    methodsOf: (path) => [...new Set(routesAt(path).flatMap(({ methods }) => [...methods]))].sort(),
    operationsOf: (path) => routesAt(path).flatMap(({ operations }) => operations),
    isBelowBase: (path) => [...bases].some((base) => path === base || path.startsWith(`${base}/`)),
    near(path) {
      const urls = [...routes.keys()].filter((url) => !partOfPage.test(url) && !url.includes('*'))
      return nearestPaths(
        path,
        urls.map((url) => url.split('/').slice(1)),
      )
    },
  }
}

/** The error for a path that does not exist, and the paths that may have been meant. */
export function pathNotFound(near: readonly string[]): ServiceError {
  const advice =
    near.length === 0
      ? '. All operations are below /v1, as in /v1/pets; GET /openapi.json lists them, and /docs explains them.'
      : `; did you mean ${near.join(' or ')}?`
  return new ServiceError('not_found', `There is no resource at this path${advice}`)
}

function isAt(route: Route, segments: string[]): boolean {
  return (
    route.segments.length === segments.length &&
    route.segments.every((own, index) =>
      own.startsWith(':') ? segments[index] !== '' : own === segments[index],
    )
  )
}

/** Longer paths are no typos of ours; a comparison costs the product of two lengths. */
const segmentsMax = 7
const segmentLengthMax = 24
const costMax = 2
const nearMax = 3

/** The paths that differ least: in a segment that is missing, that is too many, or that is mistyped. */
function nearestPaths(path: string, templates: readonly string[][]): string[] {
  const segments = path.split('/').filter((segment) => segment !== '')
  if (segments.length > segmentsMax) return []
  if (segments.some(({ length }) => length > segmentLengthMax)) return []
  const costOf = createCosts()
  const matches = templates
    .map((template) => match(segments, template, { costOf, budget: costMax }))
    .filter((found) => found !== undefined && found.named > 0) as Match[]
  const least = Math.min(...matches.map(({ cost }) => cost))
  const nearest = matches.filter(({ cost }) => cost === least)
  return [...new Set(nearest.map((found) => `/${found.path.join('/')}`))].slice(0, nearMax)
}

/** `named` counts the names that a path and a template have in common, besides versions. */
type Match = { cost: number; path: string[]; named: number }
type Effort = { costOf: Costs; budget: number }

/** The cheapest way to make a template of the segments, within a budget. */
function match(
  segments: readonly string[],
  template: readonly string[],
  { costOf, budget }: Effort,
): Match | undefined {
  if (Math.abs(segments.length - template.length) > budget) return undefined
  const [own, ...ownRest] = template
  const [sent, ...sentRest] = segments
  if (own === undefined) return { cost: segments.length, path: [], named: 0 }
  const ways: (Match | undefined)[] = []
  const cost = sent === undefined ? undefined : costOf(sent, own)
  if (sent !== undefined && cost !== undefined && cost <= budget) {
    const rest = match(sentRest, ownRest, { costOf, budget: budget - cost })
    const isName = !own.startsWith(':') && !isVersion(own)
    ways.push(rest && extended(rest, { cost, segment: isId(sent) ? sent : own, isName }))
  }
  if (budget >= 1) {
    const further = { costOf, budget: budget - 1 }
    const skipped = match(segments, ownRest, further)
    ways.push(skipped && extended(skipped, { cost: 1, segment: own, isName: false }))
    const dropped = sent === undefined ? undefined : match(sentRest, template, further)
    ways.push(dropped && { ...dropped, cost: dropped.cost + 1 })
  }
  return ways.reduce(
    (best, way) => (way && (!best || way.cost < best.cost) ? way : best),
    undefined,
  )
}

function extended(
  { cost, path, named }: Match,
  more: { cost: number; segment: string; isName: boolean },
): Match {
  const shown = more.segment.startsWith(':') ? `{${more.segment.slice(1)}}` : more.segment
  return { cost: cost + more.cost, path: [shown, ...path], named: named + (more.isName ? 1 : 0) }
}

/** What it costs to take one segment for another; `undefined` where they have nothing in common. */
type Costs = (sent: string, own: string) => number | undefined

/** Costs that are found once for each pair. */
function createCosts(): Costs {
  const found = new Map<string, number | undefined>()
  return (sent, own) => {
    if (sent === own) return 0
    if (own.startsWith(':')) return isId(sent) ? 0 : undefined
    const pair = `${sent}/${own}`
    if (!found.has(pair)) found.set(pair, nearestName(sent, [own]) === undefined ? undefined : 0.5)
    return found.get(pair)
  }
}

function isId(segment: string): boolean {
  return /^\d{1,19}$/.test(segment)
}

function isVersion(segment: string): boolean {
  return /^v\d$/.test(segment)
}
