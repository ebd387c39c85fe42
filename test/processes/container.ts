import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../harness/until.ts'
import type { ImageConfig } from './container-image.ts'
import { startProgram, whenThisProcessIsGone } from './process.ts'

type ContainerOptions = {
  /** The mounted file system of the image. */
  root: string
  config: ImageConfig
  /** The folder that is mounted at each volume of the image. */
  volume: string
  env?: Record<string, string>
}

export type Container = ReturnType<typeof startContainer>

let containers = 0

/**
 * Runs an image with runc as its configuration says, on a read-only file system, without capabilities, in the network
 * of this machine. `folder` is for runc.
 */
export function startContainer(folder: string, options: ContainerOptions) {
  const name = `petstore-${process.pid}-${++containers}`
  const bundle = join(folder, name)
  mkdirSync(bundle)
  const spec = specFor(bundle, options)
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(spec))
  const runc = ['--root', join(folder, 'runc')]
  const startMs = performance.now()
  const run = ['runc', ...runc, 'run', '--bundle', bundle, name]
  const { child, exited, hasEnded, written } = startProgram(run)
  whenThisProcessIsGone('runc --root "$2" delete --force "$1"', [name, runc[1] ?? ''], child)

  function exec(command: string[], env: Record<string, string> = {}) {
    const variables = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`])
    const args = [...runc, 'exec', ...variables, name, ...command]
    return spawnSync('runc', args, { encoding: 'utf8' })
  }

  const checkHealth = (env?: Record<string, string>) => exec(healthCommand(options.config), env)

  return {
    /** Runs a command in the container, as its user. */
    exec,
    /** The exit code. */
    exited: exited.then(({ code }) => code),
    /** The health check of the image, run once. */
    checkHealth,
    output: written,
    /** Polls the health check of the image until it passes; returns the milliseconds since the start. */
    async untilHealthy() {
      await until(() => {
        if (hasEnded()) throw new Error(`The container has ended: ${written()}`)
        return checkHealth().status === 0
      })
      return performance.now() - startMs
    },
    /** Sends the stop signal of the image; returns the exit code and the milliseconds that it took. */
    async stop() {
      const stopStartMs = performance.now()
      execFileSync('runc', [...runc, 'kill', name, options.config.StopSignal])
      const { code } = await exited
      const stopMs = performance.now() - stopStartMs
      rmSync(bundle, { recursive: true })
      return { code, stopMs }
    },
  }
}

function healthCommand({ Healthcheck }: ImageConfig): string[] {
  const [kind, ...command] = Healthcheck.Test
  if (kind !== 'CMD') throw new Error(`The health check is not a command: ${Healthcheck.Test}`)
  return command
}

function specFor(bundle: string, { root, config, volume, env = {} }: ContainerOptions) {
  execFileSync('runc', ['spec', '--bundle', bundle])
  const spec = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8'))
  const [uid, gid] = config.User.split(':').map(Number)
  const volumes = Object.keys(config.Volumes).map((destination) => ({
    ...{ destination, type: 'bind', source: volume, options: ['bind', 'rw'] },
  }))
  const { namespaces } = spec.linux
  return {
    ...spec,
    root: { path: root, readonly: true },
    process: {
      ...spec.process,
      terminal: false,
      user: { uid, gid },
      args: [...config.Entrypoint, ...config.Cmd],
      env: [...config.Env, ...Object.entries(env).map(([key, value]) => `${key}=${value}`)],
      cwd: config.WorkingDir,
      capabilities: { bounding: [], effective: [], permitted: [] },
      noNewPrivileges: true,
    },
    mounts: [...spec.mounts, ...volumes],
    linux: {
      ...spec.linux,
      namespaces: namespaces.filter(({ type }: { type: string }) => type !== 'network'),
    },
  }
}
