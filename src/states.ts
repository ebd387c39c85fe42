/** The moves of what has states: in each state, the events that may happen, and the state that follows. */
export type Moves<State extends string, Event extends string> = {
  readonly [state in State]: { readonly [event in Event]?: State }
}

/** The state after an event. An event that the table does not have in this state is a defect, and throws. */
export function next<State extends string, Event extends string>(
  moves: Moves<State, Event>,
  state: State,
  event: Event,
): State {
  const after = moves[state][event]
  if (after === undefined) throw new Error(`"${event}" cannot happen in the state "${state}".`)
  return after
}
