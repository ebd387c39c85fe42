import { readdirSync, readFileSync } from 'node:fs'

/** The private memory of one process, in MiB; 0 once it has ended. */
export function memoryMiB(pid: number): number {
  const [status = ''] = orNone(() => [readFileSync(`/proc/${pid}/status`, 'utf8')])
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

/** The processes that this one started and that have not ended. */
export function childrenOf(pid: number): number[] {
  const tasks = orNone(() => readdirSync(`/proc/${pid}/task`))
  const children = tasks.flatMap((task) =>
    orNone(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ')),
  )
  return children.filter(Boolean).map(Number)
}

/** A thread or process may end while it is read. */
function orNone(look: () => string[]): string[] {
  try {
    return look()
  } catch {
    return []
  }
}
