/** The pets that every contender serves. */
export const pets = Array.from({ length: 20 }, (_, index) => ({
  id: index + 1,
  name: `Rex ${index + 1}`,
  categoryId: 2,
  status: 'available',
}))

export type Call = {
  method?: string
  /** Below the base address, such as `/pets?limit=20`. */
  path: string
  /** The contender's own key unless given; none when null. */
  key?: string | null
  headers?: Record<string, string>
  body?: string
}
/** A status of 0 means that the connection was cut. */
export type Reply = { status: number; text: string }

/** A contender that runs with the pets above. */
export type Running = {
  call(call: Call): Promise<Reply>
  /** Accepted by those that check keys. */
  key: string
  /** Absent where it listens on no port. */
  baseUrl?: string
  pid: number
  /** From the start of its process to the first response with a page. */
  readyMs: number
  [Symbol.asyncDispose](): Promise<void>
}

/** The name of ours where it runs in the process of the test. */
export const inProcess = 'this, in process'

/** What a test can force, with what it is done by. Each is tried, and throws where it does not hold. */
type Force = { by: string; holds(running: Running, folder: string): Promise<boolean> }
export const forces = ['error', 'delay', 'cut', 'clock'] as const

export type Contender = {
  name: string
  /** The package that a user installs, as in `package.json`; of this repository when absent. */
  packageName?: string
  /** What it serves an API from. */
  from: string
  /** Its own name of `limit`, where it has another. */
  limitName?: string
  /** Starts it in an empty folder, as for a test. */
  start(folder: string): Promise<Running>
  /** Starts it in a folder where it may have run before, so that it keeps what it can keep. */
  restart(folder: string): Promise<Running>
  /** Whether the folder has the pet of this name; where it is written only after the response. */
  hasWritten?(folder: string, name: string): boolean
  /** Starts it with an API of cats, and returns the response to `GET /cats`. */
  serveCats?(folder: string): Promise<Reply>
  force: Partial<Record<(typeof forces)[number], Force>>
}

/** The list of pets in a response. */
export function petsIn({ text }: Reply): { id: unknown; name: string }[] {
  return JSON.parse(text)
}
