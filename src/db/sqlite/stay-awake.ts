/** No thread stays awake for longer; a write that comes so long after the one before it ends a streak. */
export const awakeMaxMs = 1

/** Keeps the event loop of this thread turning while something is awaited; whatever else arrives is served as always. */
export function stayAwakeWhile(isAwaited: () => boolean): void {
  const endMs = performance.now() + awakeMaxMs
  function turn() {
    if (isAwaited() && performance.now() < endMs) setImmediate(turn)
  }
  turn()
}
