import type { FastifyInstance } from 'fastify'
import type { Operation } from '../contract/operation.ts'
import { ServiceError } from '../contract/service-error.ts'
import { nearestName } from '../nearest-name.ts'

export type Paths = ReturnType<typeof watchRoutes>

type Route = { segments: string[]; methods: Set<string>; operations: Operation[] }

/** What pages load, and other spellings of their addresses: nobody asks for these by hand. */
const partOfPage = /^\/(?:assets\/|console\/.|(?:docs|guides)\/$)/

/** Records every added route, to distinguish a wrong method from a wrong path. Pages are read, and have no route. */
export function watchRoutes(app: FastifyInstance, pages: readonly string[]) {
  const routes = new Map<string, Route>()
  const pageRoutes = pages.map((url) => {
    const methods = new Set(['GET', 'HEAD', 'OPTIONS'])
    return { segments: url.split('/'), methods, operations: [] }
  })
  const bases = new Set<string>()
  const probes = new Set<string>()
  app.addHook('onRoute', ({ url, method, config: { operation, base } = {} }) => {
    const own = { segments: url.split('/'), methods: new Set(['OPTIONS']), operations: [] }
    const route: Route = routes.get(url) ?? own
    for (const name of [method].flat()) route.methods.add(name)
    if (operation) route.operations.push(operation)
    if (base) bases.add(base)
    if (operation?.isProbe) probes.add(url)
    routes.set(url, route)
  })

  function routesAt(path: string): Route[] {
    const all = [...routes.values(), ...pageRoutes]
    const segments = path.split('/')
    return path === '*' ? all : all.filter((route) => isAt(route, segments)).slice(0, 1)
  }

  return {
    /** The methods of a path, or of all paths for `*`. */
    methodsOf: (path: string): string[] =>
      [...new Set(routesAt(path).flatMap(({ methods }) => [...methods]))].sort(),
    /** The operations of a path. */
    operationsOf: (path: string): readonly Operation[] =>
      routesAt(path).flatMap(({ operations }) => operations),
    /** Whether an operation of the path is a probe: asked of each request that waits, so without a search. */
    isProbe: (path: string): boolean => probes.has(path),
    /** Whether a path is a base address of operations, or below one. */
    isBelowBase: (path: string): boolean =>
      [...bases].some((base) => path === base || path.startsWith(`${base}/`)),
    /** The nearest paths to one that does not exist. */
    near(path: string): string[] {
      const urls = [...routes.keys(), ...pages].filter(
        (url) => !partOfPage.test(url) && !url.includes('*'),
      )
      const templates = urls.map((url) => url.split('/').slice(1))
      return nearestPaths(path, templates)
    },
  }
}

/** The error for a path that does not exist, and the paths that may have been meant. */
export function pathNotFound(near: readonly string[], path?: string): ServiceError {
  if (path === '/metrics') {
    const message =
      'There are no metrics at this port. PETSTORE_METRICS_ADDRESS sets where they are served; without it they are not.'
    return new ServiceError('not_found', message)
  }
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
    .map((template) => match(segments, template, costOf, costMax))
    .filter((found) => found !== undefined && found.named > 0) as Match[]
  const least = Math.min(...matches.map(({ cost }) => cost))
  const nearest = matches.filter(({ cost }) => cost === least)
  const shown = nearest.map((found) => found.path.join('').replace(/:(\w+)/g, '{$1}'))
  return [...new Set(shown)].slice(0, nearMax)
}

/** `named` counts the names that a path and a template have in common, besides versions. */
type Match = { cost: number; path: string[]; named: number }

/** The cheapest way to make a template of the segments, within a budget. */
function match(
  segments: readonly string[],
  template: readonly string[],
  costOf: Costs,
  budget: number,
): Match | undefined {
  if (budget < 0 || Math.abs(segments.length - template.length) > budget) return undefined
  const [own, ...ownRest] = template
  const [sent, ...sentRest] = segments
  if (own === undefined) return { cost: segments.length, path: [], named: 0 }
  const cost = sent === undefined ? undefined : costOf(sent, own)
  const kept = cost !== undefined && match(sentRest, ownRest, costOf, budget - cost)
  const added = match(segments, ownRest, costOf, budget - 1)
  const dropped = sent !== undefined && match(sentRest, template, costOf, budget - 1)
  const isName = !own.startsWith(':') && !/^v\d$/.test(own)
  const ways = [
    kept && {
      cost: kept.cost + cost,
      path: [`/${isId(sent) ? sent : own}`, ...kept.path],
      named: kept.named + Number(isName),
    },
    added && { ...added, cost: added.cost + 1, path: [`/${own}`, ...added.path] },
    dropped && { ...dropped, cost: dropped.cost + 1 },
  ]
  return ways.filter((way) => way !== undefined && way !== false).sort((a, b) => a.cost - b.cost)[0]
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

function isId(segment = ''): boolean {
  return /^\d{1,19}$/.test(segment)
}
