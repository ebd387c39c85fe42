import type { Host } from './address.ts'

/** The host that new connections go to. Connections of an older generation are not to be trusted. */
export type Endpoint = { host: Host; generation: number }

type HostSelector = {
  now(): Endpoint
  /** What was connected in this generation may be dead without our knowing, or lead to the wrong server. */
  distrust(generation: number): void
  /** The host of this generation takes no writes, or does not answer: the next one is tried. */
  skipHost(generation: number): void
}

/** Which of several hosts is used. Whoever learns of a change too late changes nothing. */
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
