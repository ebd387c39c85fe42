/** Throws where the service at this address does not serve its console built: the page with the files that it loads. */
export async function requireConsole(origin: string): Promise<void> {
  const page = `${origin}/console/`
  const html = await readText(page, 'text/html')
  const files = [...html.matchAll(/(?:src|href)="([^"]+\.(js|css))"/g)]
  if (!files.some(([, , kind]) => kind === 'js')) throw new Error(`${page} is not built:\n${html}`)
  for (const [, path = '', kind] of files) {
    await readText(new URL(path, page).href, kind === 'js' ? 'text/javascript' : 'text/css')
  }
}

async function readText(url: string, type: string): Promise<string> {
  const response = await fetch(url)
  const text = await response.text()
  const found = response.headers.get('content-type') ?? ''
  if (response.status !== 200 || !found.startsWith(type))
    throw new Error(`${url} responds with ${response.status} ${found}.`)
  return text
}
