import type { Store } from './frame.ts'

/** What a program gets at `/`: where everything is. `baseUrl` is the base address as the client knows it. */
export function frontDoorLinks({ environment, hasConsole }: Store, baseUrl: string) {
  const root = baseUrl.replace(/\/v1$/, '')
  return {
    environment,
    baseUrl,
    openapi: `${root}/openapi.json`,
    docs: `${root}/docs`,
    guides: `${root}/guides`,
    ...(hasConsole ? { console: `${root}/console/` } : {}),
    live: `${root}/health/live`,
    ready: `${root}/health/ready`,
  }
}
