import { setTimeout as sleep } from 'node:timers/promises'
import { isInMemory } from '../../db/open.ts'
import { error, type Finding } from './finding.ts'
import { checkProgram } from './program.ts'
import { checkSettings } from './settings.ts'
import type { NamedChecks, Subject } from './subject.ts'

/** The findings of related checks; `isLate` where they did not end in time. */
export type Group = { name: string; findings: readonly Finding[]; isLate?: true }

/** How long a group may take: a disk or a network that hangs must not keep the others from being told. */
const groupMaxMs = 15_000

/** Examines everything that the service needs. Changes nothing. */
export async function* examine(subject: Subject): AsyncGenerator<Group> {
  const { config, versions } = subject
  const { connectionsMax } = config
  yield await groupOf('program', () => checkProgram({ versions, connectionsMax }))
  yield await groupOf('settings', () => checkSettings(subject))
  if (isInMemory(config.database)) return
  // PostgreSQL's client is loaded only where it is used.
  const { groups } =
    config.database.engine === 'sqlite'
      ? await import('./examine-sqlite.ts')
      : await import('./examine-postgres.ts')
  for (const [name, check] of groups(subject)) yield await groupOf(name, check)
}

/** A group that fails or takes too long is a finding itself. */
export async function groupOf(
  name: string,
  check: NamedChecks[1],
  maxMs = groupMaxMs,
): Promise<Group> {
  const ended = new AbortController()
  const late = sleep(maxMs, 'late' as const, { signal: ended.signal })
  late.catch(() => undefined)
  try {
    const findings = await Promise.race([check(), late])
    if (findings !== 'late') return { name, findings }
    const sentence = `This did not end within ${maxMs / 1_000} s: a disk or a network hangs. Look at the log of the machine.`
    return { name, findings: [error(name, sentence)], isLate: true }
  } catch (problem) {
    const { message } = problem as Error
    return { name, findings: [error(name, `This could not be examined: ${message}.`)] }
  } finally {
    ended.abort()
  }
}
