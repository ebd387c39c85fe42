import { availableParallelism } from 'node:os'

/** No thread stays awake for longer, and only where less lies between one write and the next. */
const awakeMaxMs = 1
/** So many writes in a row, each alone, are those of a client that does one thing after the other. */
const sequenceMin = 4

/**
 * Tells of which writes a thread should await the answer, or the next one, without going to sleep. To wake a thread takes
 * about as long as a commit, and who does one thing after the other waits for it twice each time. Whoever stays awake
 * uses processor time, so it is done only while nobody else asks for anything, and never on a single processor.
 */
export function createSequence(processors = availableParallelism()) {
  let length = 0
  let lastMs = 0

  return {
    /** A write begins, `isAlone` or with others beside it. True where it continues a sequence. */
    continues(isAlone: boolean): boolean {
      const nowMs = performance.now()
      length = isAlone && nowMs - lastMs < awakeMaxMs ? length + 1 : 0
      lastMs = nowMs
      return length >= sequenceMin && processors > 1
    },
    /** Somebody asks for something else. */
    end() {
      length = 0
    },
  }
}

/** Keeps the event loop of this thread turning while something is awaited; whatever else arrives is served as always. */
export function stayAwakeWhile(isAwaited: () => boolean): void {
  const endMs = performance.now() + awakeMaxMs
  function turn() {
    if (isAwaited() && performance.now() < endMs) setImmediate(turn)
  }
  turn()
}
