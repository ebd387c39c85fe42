import assert from 'node:assert/strict'
import { petstore } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

/** A finding as the check and the record that it names. */
export type Found = [check: string, record: string | null]

type Finding = {
  record: { table: string; id: string } | null
  message: string
  repair: string | null
}
type Checks = { name: string; ok: boolean; findings: Finding[] }[]
type Report = { ok: boolean; checks: Checks; found?: Checks }

type Store = { env: Record<string, string> }

/** Runs `verify --json`; returns the exit code, the object on standard output, and standard error. */
export async function verify(store: Store, ...options: string[]) {
  return parsed(await petstoreInThread(['verify', '--json', ...options], store))
}

/** The same in a process of its own. */
export async function verifyInProcess(store: Store, ...options: string[]) {
  return parsed(await petstore(['verify', '--json', ...options], store))
}

type End = { code: number | null; stdout: string; stderr: string }

function parsed({ code, stdout, stderr }: End) {
  assert.match(stdout, /^\{.*\}\n$/, stderr)
  return { code, stderr, report: JSON.parse(stdout) as Report }
}

/** All findings, in the order of the checks. */
export function findingsOf(checks: Checks): Found[] {
  for (const { ok, findings } of checks) assert.equal(ok, findings.length === 0)
  return checks.flatMap(({ name, findings }) =>
    findings.map(({ record }): Found => [name, record && `${record.table} ${record.id}`]),
  )
}

/** The findings of a record, with their repairs. */
export function messagesOf({ checks }: Report, record: string): string[] {
  return checks.flatMap(({ findings }) =>
    findings.flatMap(({ record: named, message, repair }) =>
      named && `${named.table} ${named.id}` === record ? [`${message} ${repair}`] : [],
    ),
  )
}
