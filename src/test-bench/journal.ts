/** A request that the store received, and its response. */
export type JournalEntry = {
  number: number
  at: string
  requestId: string
  method: string
  /** Path and query. Keys are masked. */
  target: string
  /** The operationId; absent where no operation has this path and method. */
  operation?: string
  /** Without `Authorization`. Keys are masked. */
  headers: Readonly<Record<string, string>>
  /** Absent until the response is sent; so are `code`, `durationMs` and `body`. */
  status?: number
  /** The error code of the response. */
  code?: string | undefined
  isDeprecated: boolean
  /** The unknown parameters and members, which were ignored. */
  ignored: readonly string[]
  /** The id of the fault that was applied. */
  fault?: number
  durationMs?: number
  /** The text of the request body, if there was one. */
  body?: string | undefined
}

export type Journal = ReturnType<typeof createJournal>

const entriesMax = 10_000
const charactersMax = 16 * 1_024 * 1_024

type Kept = { entry: JournalEntry; characters: number }

/** Keeps the latest requests: at most 10,000, with at most 16 Mi characters of targets, headers and bodies. */
export function createJournal() {
  let all: Kept[] = []
  let last = 0
  let characters = 0

  function count(kept: Kept, more: number) {
    kept.characters += more
    characters += more
    while (all.length > entriesMax || characters > charactersMax)
      characters -= all.shift()?.characters ?? 0
  }

  return {
    add(sent: Omit<JournalEntry, 'number'>): JournalEntry {
      last += 1
      const kept: Kept = { entry: { number: last, ...sent }, characters: 0 }
      all.push(kept)
      count(kept, lengthOf(sent))
      return kept.entry
    },
    /** Adds what is known once the response is sent. */
    complete(entry: JournalEntry, outcome: Partial<JournalEntry>) {
      Object.assign(entry, outcome)
      const kept = all[all.length - 1 - (last - entry.number)]
      if (kept?.entry === entry) count(kept, outcome.body?.length ?? 0)
    },
    /** Those whose members have the values of the filter. */
    list: (filter: Partial<JournalEntry> = {}): readonly JournalEntry[] =>
      all
        .map(({ entry }) => entry)
        .filter((entry) =>
          Object.entries(filter).every(
            ([name, value]) => value === undefined || entry[name as keyof JournalEntry] === value,
          ),
        ),
    /** How many entries were dropped to make room. */
    dropped: () => last - all.length,
    clear() {
      all = []
      last = 0
      characters = 0
    },
  }
}

function lengthOf({ target, headers }: Pick<JournalEntry, 'target' | 'headers'>): number {
  return Object.values(headers).reduce((sum, text) => sum + text.length, target.length)
}
