import { createRootRoute, createRoute, type RouteComponent, useMatch } from '@tanstack/react-router'
import type { Scope } from '../../../client/src/index.ts'
import type { IconName } from './icon.tsx'

/** A page, as the menu, the shortcuts, the palette and the title show it. */
export type Page<Path extends string = string> = {
  /** One level deep: the files of the console are named relative to the page. */
  path: Path
  label: string
  icon: IconName
  /** The page opens with `g` and this letter. */
  letter: string
  /** An API key needs one of them for the page. */
  scopes: readonly Scope[]
  /** Reads the parameters of the address. */
  readSearch(address: Record<string, unknown>): object
}

type Definition<Path extends string, Search> = Omit<Page<Path>, 'readSearch'> & {
  /** Without it the address has no parameters. */
  readSearch?(address: Record<string, unknown>): Search
  component: RouteComponent
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: Page
  }
}

/** The route above every page; the router gives it the frame. */
export const root = createRootRoute()

/** Defines a page, with all that the menu, the palette and the address need. */
export function definePage<const Path extends `/${string}`, Search extends object = object>({
  readSearch = () => ({}) as Search,
  component,
  ...words
}: Definition<Path, Search>) {
  const page = { ...words, readSearch }
  const route = createRoute({
    getParentRoute: () => root,
    path: page.path,
    staticData: { page },
    validateSearch: readSearch,
    component,
  })
  return { ...page, route }
}

/** Whether a key with these scopes may use the page. */
export function mayUse(page: Page, scopes: readonly Scope[]): boolean {
  return page.scopes.some((scope) => scopes.includes(scope))
}

/** The page that a component is part of. */
export function usePage(): Page {
  const page = useMatch({ strict: false, select: ({ staticData }) => staticData.page })
  if (page === undefined) throw new Error('usePage() was called outside of pages.')
  return page
}
