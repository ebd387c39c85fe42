import { consoleUrl } from '../api/page-context.ts'
import { watchedFetch } from '../api/watched-fetch.ts'

/** A part of the console could not be loaded. */
export class PartError extends Error {
  constructor(options: ErrorOptions) {
    super('This part of the console could not be loaded.', options)
  }
}

/** Imports a part of the console. Throws `PartError`. */
export async function importPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new PartError({ cause })
  }
}

/** The same for a page: where a newer console has replaced this one, that is loaded, with the page that is asked for. */
export async function importPage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await importPart(load)
  } catch (error) {
    if (!(await isOutdated())) throw error
    location.reload()
    return new Promise<never>(() => undefined)
  }
}

/**
 * Loads the page anew if the service can be reached; else the banner says that it cannot. A browser does not ask again for a
 * part that it could not load.
 */
export async function reloadPage(): Promise<void> {
  if ((await fetchPage()) !== undefined) location.reload()
}

/** Whether the service sends another console than the one that runs; false where it cannot be reached. */
async function isOutdated(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  const name = script?.src.split('/').at(-1) ?? ''
  return (await fetchPage())?.includes(name) === false
}

async function fetchPage(): Promise<string | undefined> {
  try {
    const response = await watchedFetch(consoleUrl, { cache: 'no-store' })
    return response.ok ? await response.text() : undefined
  } catch {
    return undefined
  }
}
