import type { FastifyInstance } from 'fastify'
import type { Operation } from '../contract/operation.ts'
import { ServiceError } from '../contract/service-error.ts'
import { editDistance, nearestName } from '../nearest-name.ts'

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
  const costs = new Map<string, number>()
  function costOf(sent: string, own: string): number {
    const pair = `${sent}/${own}`
    const cost = costs.get(pair) ?? costOfSegment(sent, own)
    costs.set(pair, cost)
    return cost
  }
  const found = templates.flatMap((template) => {
    if (Math.abs(template.length - segments.length) > costMax) return []
    const names = template.filter((own) => !own.startsWith(':') && !/^v\d$/.test(own))
    const isNamed = names.some((name) => segments.some((sent) => costOf(sent, name) < 1))
    const cost = isNamed ? editDistance(segments, template, costOf) : Number.POSITIVE_INFINITY
    return cost <= costMax ? { cost, template } : []
  })
  const least = Math.min(...found.map(({ cost }) => cost))
  const nearest = found.filter(({ cost }) => cost === least)
  const shown = nearest.map(({ template }) => {
    const ids = segments.filter(isId)
    const filled = template.map((own) => (own.startsWith(':') ? (ids.shift() ?? own) : own))
    return `/${filled.join('/').replace(/:(\w+)/g, '{$1}')}`
  })
  return [...new Set(shown)].slice(0, nearMax)
}

/** The cost of replacing one segment by another; infinite where they are not alike. */
function costOfSegment(sent: string, own: string): number {
  if (sent === own) return 0
  if (own.startsWith(':')) return isId(sent) ? 0 : Number.POSITIVE_INFINITY
  return nearestName(sent, [own]) === undefined ? Number.POSITIVE_INFINITY : 0.5
}

function isId(segment: string): boolean {
  return /^\d{1,19}$/.test(segment)
}
