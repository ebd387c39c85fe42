import { type Result, repairStore, verifyStore } from '../../admin/verify/verify-store.ts'
import { storage } from '../../app/storage.ts'
import { usageError } from '../../config/exit-error.ts'
import type { Context } from '../../context/context.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { askWhether } from '../text/ask-whether.ts'
import { printJson, tell } from '../text/print.ts'
import { describeResult, describeResults, exitCodeFor, reportOf } from './describe-report.ts'
import { withStore } from './with-store.ts'

type Options = FlagsOf<'json' | 'repair' | 'yes'>

/** `verify`: checks the data, and repairs it on request. Resolves with the exit code `finding` while a finding is left. */
export async function verifyCommand(options: Options): Promise<number> {
  if (options.yes && !options.repair) {
    throw usageError('verify takes --yes with --repair alone.')
  }
  const inMemorySentence = 'A store in memory ends with its process: there is nothing to check.'
  let results: readonly Result[] = []
  // A new store, made because a setting names the wrong path, would pass every check.
  const purpose = options.repair ? 'repair' : 'verify'
  await withStore(options, { inMemorySentence, purpose }, async (context) => {
    results = await verify(context, options)
  })
  return exitCodeFor(results)
}

/** Returns the findings that are left. */
async function verify(context: Context, options: Options): Promise<readonly Result[]> {
  const print = (text: string) => void (options.json || process.stdout.write(text))
  const found = await verifyAll(context, print)
  if (!(await isRepairWanted(found, options))) {
    if (options.json) printJson(reportOf(found))
    return found
  }
  await repairStore(context, storage.checks, found)
  print('\nRepairs done. Checked again:\n\n')
  const left = await verifyAll(context, print)
  if (options.json) printJson(reportOf(left, found))
  return left
}

async function verifyAll(context: Context, print: (text: string) => void): Promise<Result[]> {
  const results: Result[] = []
  for await (const result of verifyStore(context, storage.checks)) {
    print(describeResult(result))
    results.push(result)
  }
  print(describeResults(results))
  return results
}

async function isRepairWanted(results: readonly Result[], { json, repair, yes }: Options) {
  const count = results.flatMap(({ findings }) => findings.filter((one) => one.repair)).length
  if (!repair || count === 0 || yes) return repair && count > 0
  const answer = json
    ? undefined
    : await askWhether(`Do ${count === 1 ? 'this repair' : `these ${count} repairs`}?`)
  const advice = answer === undefined ? ' Add --yes to have it repaired.' : ''
  if (answer !== true) tell(`Nothing was changed.${advice}`)
  return answer === true
}
