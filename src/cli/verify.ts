import { parseArgs } from 'node:util'
import { auditStore, type Result } from '../admin/verify/audit-store.ts'
import { repairStore } from '../admin/verify/repair-store.ts'
import type { Context } from '../context/context.ts'
import { ExitError, exitCodes } from '../exit.ts'
import { askWhether } from './ask-whether.ts'
import { describeAudit, describeResult, describeResults } from './describe-audit.ts'
import { withStore } from './with-store.ts'

type Wishes = { json: boolean; repair: boolean; yes: boolean }

/** `verify`: audits the data, and repairs it where that is wanted. Resolves with `finding` unless nothing is wrong at the end. */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      environment: { type: 'string' },
      json: { type: 'boolean', default: false },
      repair: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
    },
  })
  const { environment, ...wishes } = values
  if (wishes.yes && !wishes.repair) {
    throw new ExitError('usage', 'verify takes --yes with --repair alone.')
  }
  const inMemorySentence = 'A store in memory ends with its process: there is nothing to audit.'
  let results: readonly Result[] = []
  // A store that is new, since a setting misses the one that is meant, would be found free of faults.
  const store = { environment, inMemorySentence, purpose: 'audit' } as const
  const exitCode = await withStore(store, async (context) => {
    results = await verify(context, wishes)
  })
  return isFaultless(results) ? exitCode : exitCodes.finding
}

/** Answers what is found at the end. */
async function verify(context: Context, wishes: Wishes): Promise<readonly Result[]> {
  const print = (text: string) => void process.stdout.write(text)
  const tell = wishes.json ? () => undefined : print
  const found = await audit(context, tell)
  if (!(await isRepairWanted(found, wishes))) {
    if (wishes.json) print(describeAudit(found))
    return found
  }
  await repairStore(context, found)
  tell('\nThe repairs are done. The audit after them:\n\n')
  const left = await audit(context, tell)
  if (wishes.json) print(describeAudit(left, found))
  return left
}

async function audit(context: Context, tell: (text: string) => void): Promise<Result[]> {
  const results: Result[] = []
  for await (const result of auditStore(context)) {
    tell(describeResult(result))
    results.push(result)
  }
  tell(describeResults(results))
  return results
}

async function isRepairWanted(results: readonly Result[], { json, repair, yes }: Wishes) {
  const count = results.flatMap(({ findings }) => findings.filter((one) => one.repair)).length
  if (!repair || count === 0 || yes) return repair && count > 0
  const answer = json
    ? undefined
    : await askWhether(`Do ${count === 1 ? 'this repair' : `these ${count} repairs`}?`)
  if (answer !== true) process.stderr.write('Nothing was changed.')
  if (answer === undefined) process.stderr.write(' Add --yes to have it repaired.')
  if (answer !== true) process.stderr.write('\n')
  return answer === true
}

function isFaultless(results: readonly Result[]): boolean {
  return results.every(({ findings }) => findings.length === 0)
}
