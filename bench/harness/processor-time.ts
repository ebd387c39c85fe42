import { readdirSync, readFileSync } from 'node:fs'

/** Processor time of processes and their children since their start, ended ones included, in milliseconds, from /proc (Linux). */
export function processorMs(...pids: number[]): number {
  const all = [...new Set(pids.flatMap(withChildren))]
  return all.reduce((sum, pid) => sum + ownMs(pid) + endedMs(pid), 0)
}

/** The private memory of one process, in MiB; 0 once it has ended. */
export function memoryMiB(pid: number): number {
  const [status = ''] = orNone(() => [readFileSync(`/proc/${pid}/status`, 'utf8')])
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

function withChildren(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(withChildren)]
}

/** The processes that this one started and that have not ended. */
export function childrenOf(pid: number): number[] {
  const tasks = orNone(() => readdirSync(`/proc/${pid}/task`))
  const children = tasks.flatMap((task) =>
    orNone(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ')),
  )
  return children.filter(Boolean).map(Number)
}

/** The scheduler counts in nanoseconds, thread by thread. */
function ownMs(pid: number): number {
  const tasks = orNone(() => readdirSync(`/proc/${pid}/task`))
  return tasks.reduce((sum, task) => {
    const [nanoseconds] = orNone(() =>
      readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' '),
    )
    return sum + Number(nanoseconds ?? 0) / 1e6
  }, 0)
}

/** Of the children that have ended, such as sessions of PostgreSQL: the kernel counts them in hundredths of a second. */
function endedMs(pid: number): number {
  const [status = ''] = orNone(() => [readFileSync(`/proc/${pid}/stat`, 'utf8')])
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * 10
}

/** A thread or process may end while it is read. */
function orNone(look: () => string[]): string[] {
  try {
    return look()
  } catch {
    return []
  }
}
