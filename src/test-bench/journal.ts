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

/** What the response adds to an entry. */
type Outcome = Pick<
  JournalEntry,
  'status' | 'code' | 'isDeprecated' | 'ignored' | 'durationMs' | 'body'
>

export type JournalFilter = Partial<
  Pick<JournalEntry, 'operation' | 'method' | 'status' | 'code' | 'isDeprecated'>
>

export type Journal = {
  add(entry: Omit<JournalEntry, 'number'>): JournalEntry
  complete(entry: JournalEntry, outcome: Outcome): void
  list(filter?: JournalFilter): readonly JournalEntry[]
  /** How many entries were dropped to make room. */
  dropped(): number
  clear(): void
}

const entriesMax = 10_000
const bodiesMaxCharacters = 16 * 1_024 * 1_024

/** Keeps the latest requests: at most 10,000, with at most 16 Mi characters of bodies. */
export function createJournal(): Journal {
  let entries: JournalEntry[] = []
  let last = 0
  let characters = 0

  function makeRoom() {
    let kept = 0
    let start = entries.length
    while (start > 0 && entries.length - start < entriesMax) {
      const length = entries[start - 1]?.body?.length ?? 0
      if (kept + length > bodiesMaxCharacters) break
      kept += length
      start -= 1
    }
    entries = entries.slice(start)
    characters = kept
  }

  return {
    add(sent) {
      last += 1
      const entry = { number: last, ...sent }
      entries.push(entry)
      if (entries.length > entriesMax + 1_000) makeRoom()
      return entry
    },
    complete(entry, outcome) {
      Object.assign(entry, outcome)
      characters += outcome.body?.length ?? 0
      if (characters > bodiesMaxCharacters) makeRoom()
    },
    list: (filter = {}) =>
      entries
        .slice(-entriesMax)
        .filter((entry) =>
          Object.entries(filter).every(
            ([name, value]) => value === undefined || entry[name as keyof JournalFilter] === value,
          ),
        ),
    dropped: () => last - Math.min(entries.length, entriesMax),
    clear() {
      entries = []
      last = 0
      characters = 0
    },
  }
}
