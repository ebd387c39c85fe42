import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from './process.ts'

/** What the image says of how it is run. */
export type ImageConfig = {
  Env: string[]
  User: string
  WorkingDir: string
  Entrypoint: string[]
  Cmd: string[]
  StopSignal: string
  Volumes: Record<string, unknown>
  Healthcheck: { Test: string[] }
}

const programs = ['buildah', 'debootstrap', 'runc', 'npm']
/** Where programs of a build expect the certificates; a machine may trust authorities of its own. */
const certificates = '/etc/ssl/certs'

/** Why the image cannot be built here, as a sentence; undefined where it can. */
export function whyNotHere(): string | undefined {
  if (process.platform !== 'linux') return 'Containers are built on Linux only.'
  if (process.getuid?.() !== 0) return 'Building the base needs root.'
  const missing = programs.filter((program) => whereIs(program) === undefined)
  if (missing.length > 0) return `Not installed: ${missing.join(', ')}.`
  return undefined
}

/** Runs buildah with its images below `folder`. */
export function createBuildah(folder: string): (...args: string[]) => string {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  return (...args) =>
    execFileSync('buildah', [...storage, ...args], {
      encoding: 'utf8',
      env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 << 20,
    }).trim()
}

/**
 * Builds the image of `Containerfile`, on a Debian that debootstrap makes below `folder` and on one with the Node and
 * the npm of this machine: no registry of images is needed. Returns its name and its configuration.
 */
export function buildImage(folder: string): { image: string; config: ImageConfig } {
  const buildah = createBuildah(folder)
  const base = join(folder, 'base')
  if (!existsSync(join(base, 'etc/os-release'))) {
    execFileSync('debootstrap', ['--variant=minbase', 'bookworm', base], { stdio: 'ignore' })
  }
  buildFrom(buildah, base, { image: 'localhost/base', file: 'FROM scratch\nCOPY . /\n' })
  buildFrom(buildah, nodeContext(folder), { image: 'localhost/node', file: nodeFile })
  const image = 'localhost/petstore'
  buildah(
    ...['build', '--quiet', '--format', 'docker', '--tag', image],
    ...['--volume', `${certificates}:${certificates}:ro`, '--file', 'Containerfile'],
    ...['--build-arg', 'BASE_IMAGE=localhost/base', '--build-arg', 'NODE_IMAGE=localhost/node'],
    repositoryRoot,
  )
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', image))
  return { image, config: Docker.config }
}

/** Builds an image from the text of a file, on images that are there. */
function buildFrom(
  buildah: (...args: string[]) => string,
  context: string,
  { image, file }: { image: string; file: string },
) {
  const path = `${context}.containerfile`
  writeFileSync(path, file)
  const volume = ['--volume', `${certificates}:${certificates}:ro`]
  buildah('build', '--quiet', ...volume, '--file', path, '--tag', image, context)
}

const nodeFile = `FROM localhost/base
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends libatomic1 > /dev/null
COPY . /usr/local
ENV npm_config_cafile=${certificates}/ca-certificates.crt
`

/** A folder with the running Node and the npm of this machine, as below /usr/local. */
function nodeContext(folder: string): string {
  const context = join(folder, 'node')
  const npm = dirname(dirname(realpathSync(whereIs('npm') ?? '')))
  mkdirSync(join(context, 'bin'), { recursive: true })
  cpSync(process.execPath, join(context, 'bin/node'))
  cpSync(npm, join(context, 'lib/npm'), { recursive: true })
  const script = '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n'
  writeFileSync(join(context, 'bin/npm'), script, { mode: 0o755 })
  return context
}

function whereIs(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(':')
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
}
