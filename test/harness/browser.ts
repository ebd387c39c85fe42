import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/**
 * Starts a headless Chromium: the one that `CHROMIUM_PATH` names, else the one from npm (Linux on
 * x64), else the Chrome that is installed on the machine. The one from npm has a single font, Open Sans; `moreFonts` is a folder
 * with others. The caller closes it.
 */
export async function launchBrowser(moreFonts?: string): Promise<Browser> {
  const { CHROMIUM_PATH: ownPath } = process.env
  // Chromium refuses to run its sandbox as root, which is who runs tests in a container.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []

  if (ownPath) return chromium.launch({ args, executablePath: ownPath })
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return chromium.launch({ args, channel: 'chrome' })
  }

  unpacked ??= unpackChromium()
  const folder = await unpacked
  return chromium.launch({
    // Where user namespaces are not allowed the sandbox cannot start; our own pages need none.
    args: ['--no-sandbox'],
    executablePath: `${folder}/chromium`,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: `${folder}/al2023/lib`,
      FONTCONFIG_FILE: await fontsFile(folder, moreFonts),
    },
  })
}

async function fontsFile(folder: string, moreFonts?: string): Promise<string> {
  const own = `${folder}/fonts.conf`
  if (moreFonts === undefined) return own
  const path = `${folder}/more-fonts.conf`
  // Else a weight that Open Sans lacks is taken from another family.
  const text = '<match><edit name="family" mode="append"><string>Open Sans</string></edit></match>'
  await writeFile(
    path,
    `<fontconfig><include>${own}</include><dir>${moreFonts}</dir>${text}</fontconfig>\n`,
  )
  return path
}

let unpacked: Promise<string> | undefined

/** The folder of the unpacked Chromium, with the libraries and the font that a minimal machine lacks. */
async function unpackChromium(): Promise<string> {
  const packageUrl = new URL('../', import.meta.resolve('@sparticuz/chromium'))
  const { version } = JSON.parse(await readFile(new URL('package.json', packageUrl), 'utf8'))
  const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))
  const folder = `${cache}/chromium-${version}`
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  await unpackInto(folder, packageUrl)
  return folder
}

async function unpackInto(folder: string, packageUrl: URL): Promise<void> {
  const unfinished = await mkdtemp(`${folder}-`)
  const archives = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br']
  await inTemporaryFolder(unfinished, () =>
    archives.map((name) => inflate(fileURLToPath(new URL(`bin/${name}`, packageUrl)))),
  )
  await writeFile(
    `${unfinished}/fonts.conf`,
    `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>\n`,
  )
  // Another process may have unpacked the same meanwhile.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
}

/** `inflate` writes to the temporary folder that is configured at the moment of the call. */
async function inTemporaryFolder(folder: string, start: () => Promise<unknown>[]): Promise<void> {
  const { TMPDIR: before } = process.env
  process.env.TMPDIR = folder
  const running = start()
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  await Promise.all(running)
}
