import type { Host } from './address.ts'

/** The host that new connections go to. Connections of an older era are not to be trusted. */
export type Stage = { host: Host; era: number }

type Route = {
  now(): Stage
  /** What was connected in this era may be dead without our knowing, or lead to the wrong server. */
  doubt(era: number): void
  /** The host of this era takes no writes, or does not answer: the next one is tried. */
  leave(era: number): void
}

/** Which of several hosts is used. Whoever learns of a change too late changes nothing. */
export function createRoute(hosts: readonly Host[]): Route {
  let index = 0
  let era = 0

  function doubt(doubted: number) {
    if (doubted === era) era += 1
  }

  return {
    now: () => ({ host: hosts[index] as Host, era }),
    doubt,
    leave(left) {
      if (left !== era) return
      index = (index + 1) % hosts.length
      doubt(left)
    },
  }
}
