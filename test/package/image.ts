import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { until } from '../harness/until.ts'
import { ask, freePort } from '../processes/command.ts'
import { repositoryRoot, startProgram } from '../processes/process.ts'

/** A machine may trust authorities of its own, which programs of a build expect here. */
const certificates = '/etc/ssl/certs'

/** Builds the image of `Containerfile`, runs it, and asks it once. */
export async function* useImage() {
  const hasProgram = (name: string) => spawnSync(name, ['--version']).status === 0
  if (process.getuid?.() !== 0 || !hasProgram('buildah') || !hasProgram('debootstrap')) {
    yield 'NOT RUN: it needs buildah, debootstrap and root.'
    return
  }
  using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-image-'))
  const storage = ['--root', join(folder.path, 'storage'), '--runroot', join(folder.path, 'run')]
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' }
  const buildah = (...args: string[]) =>
    execFileSync('buildah', [...storage, ...args], { encoding: 'utf8', env }).trim()
  const build = ['build', '--quiet', '--volume', `${certificates}:${certificates}:ro`]
  buildah(...build, '--tag', 'localhost/base', makeBase(folder.path))
  const bases = ['BASE_IMAGE', 'NODE_IMAGE'].map((name) => `--build-arg=${name}=localhost/base`)
  const image = buildah(...build, ...bases, repositoryRoot)
  const container = buildah('from', '--pull-never', image)
  const port = await freePort()
  const setting = ['--env', `PETSTORE_PORT=${port}`]
  const command = ['buildah', ...storage, 'run', ...setting, container, '--', 'petstore', 'serve']
  const service = startProgram(command, { detached: true, env })
  try {
    await until(async () => {
      if (service.hasEnded()) throw new Error(service.written())
      const asked = fetch(`http://127.0.0.1:${port}/health/ready`)
      return await asked.then(
        ({ ok }) => ok,
        () => false,
      )
    })
    const key = buildah('run', container, '--', 'cat', '/data/first-key')
    const { status, text } = await ask(`http://127.0.0.1:${port}/v1/pets`, key)
    if (`${status} ${text}` !== '200 []') throw new Error(`It responds with ${status} ${text}.`)
    yield 'built, and serves a store on its volume'
  } finally {
    process.kill(-service.pid, 'SIGKILL')
    await service.exited
    buildah('rm', container)
  }
}

/** The folder of a Debian with this Node, so that no registry of images is needed. */
function makeBase(folder: string): string {
  const base = join(folder, 'base')
  const debian = ['--variant=minbase', '--include=libatomic1', 'bookworm', base]
  execFileSync('debootstrap', debian, { stdio: 'ignore' })
  const npm = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' })
  cpSync(process.execPath, join(base, 'usr/bin/node'))
  cpSync(dirname(dirname(npm.trim())), join(base, 'usr/lib/npm'), { recursive: true })
  const script = '#!/bin/sh\nexec node /usr/lib/npm/bin/npm-cli.js "$@"\n'
  writeFileSync(join(base, 'usr/bin/npm'), script, { mode: 0o755 })
  const file = `FROM scratch\nCOPY . /\nENV npm_config_cafile=${certificates}/ca-certificates.crt\n`
  writeFileSync(join(base, 'Containerfile'), file)
  return base
}
