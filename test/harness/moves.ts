import { type Moves, next } from '../../src/states.ts'

/** By state, the events that throw in it. */
export function impossibleMoves<S extends string, E extends string>(
  moves: Moves<S, E>,
): Record<string, string> {
  const states = Object.keys(moves) as S[]
  const events = new Set(states.flatMap((state) => Object.keys(moves[state]) as E[]))
  const impossible: Record<string, string> = {}
  for (const state of states) {
    const thrown = [...events].filter((event) => throws(() => next(moves, state, event)))
    if (thrown.length > 0) impossible[state] = thrown.join(' ')
  }
  return impossible
}

function throws(move: () => unknown): boolean {
  try {
    move()
    return false
  } catch {
    return true
  }
}

/** The moves of a table that nothing has made yet, as `state event`: the set shrinks as they are made. */
export function unmadeMoves(moves: Moves<string, string>): Set<string> {
  const unmade = new Set<string>()
  for (const [state, row] of Object.entries(moves)) {
    for (const event of Object.keys(row)) unmade.add(`${state} ${event}`)
    const noting = new Proxy(row, {
      get(target, event: string) {
        unmade.delete(`${state} ${event}`)
        return target[event]
      },
    })
    Object.assign(moves, { [state]: noting })
  }
  return unmade
}
