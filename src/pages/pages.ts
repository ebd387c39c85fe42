import type { Pages } from '../http/server.ts'
import { examples, guides } from './guides/guides.ts'
import type { PageServer, PagesOptions } from './page-server.ts'

/** All files that pages load; other names are 404. */
const assets = [
  'tokens.css',
  'frame.css',
  'front-door.css',
  'guide.css',
  'guide.js',
  'copy.js',
  'reference.css',
  'reference.js',
  'icon.svg',
]

const paths = [
  '/docs',
  '/docs/',
  '/guides',
  '/guides/',
  ...guides.map(({ name }) => `/guides/${name}`),
  ...examples.map((path) => `/guides/${path}`),
  ...assets.map((name) => `/assets/${name}`),
]

/**
 * The pages for people: the front door at `/`, the reference at `/docs`, the guides, and the page for an address that
 * leads nowhere. They need no key, load nothing from elsewhere, and only the reference and the guides have a script. All that serves
 * them is loaded with the first request for one: a service starts as fast as without them.
 */
export function createPages(options: PagesOptions): Pages {
  let loading: Promise<PageServer> | undefined
  async function load(): Promise<PageServer> {
    loading ??= import('./page-server.ts').then(({ createPageServer }) => createPageServer(options))
    return loading
  }

  return {
    paths,
    send(request, reply, ...where) {
      load()
        .then((server) => server.send(request, reply, ...where))
        .catch((error: unknown) => reply.send(error))
    },
  }
}
