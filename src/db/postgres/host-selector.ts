import type { Host } from './address.ts'

/** The host of new connections. Connections of older generations are not reused. */
export type Endpoint = { host: Host; generation: number }

type HostSelector = {
  now(): Endpoint
  /** Ends this generation: its connections may be dead, or lead to the wrong server. */
  distrust(generation: number): void
  /** Selects the next host, since this generation's host refuses writes or does not respond. */
  skipHost(generation: number): void
}

/** Selects one of several hosts. Calls with an older generation have no effect. */
export function createHostSelector(hosts: readonly Host[]): HostSelector {
  let index = 0
  let generation = 0

  function distrust(distrusted: number) {
    if (distrusted === generation) generation += 1
  }

  return {
    now: () => ({ host: hosts[index] as Host, generation }),
    distrust,
    skipHost(skipped) {
      if (skipped !== generation) return
      index = (index + 1) % hosts.length
      distrust(skipped)
    },
  }
}
