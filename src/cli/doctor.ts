import { examine, type Group } from '../admin/doctor/examine.ts'
import { firstKeyFileOf } from '../app/first-key.ts'
import { storage } from '../app/storage.ts'
import { loadConfig } from '../config/config.ts'
import { ExitError } from '../config/exit-error.ts'
import { systemClock, systemRandom } from '../context/context.ts'
import { versionOf } from '../version.ts'
import { describeExamination, describeGroup, describeTotal } from './describe-examination.ts'
import { exitCodes } from './exit-codes.ts'

type Flags = { json: boolean; environment?: string | undefined }

/** `doctor`: examines what the service needs, and changes nothing. Resolves with the exit code `finding` on errors. */
export async function doctorCommand({ json, environment }: Flags): Promise<number> {
  const groups: Group[] = []
  for await (const group of groupsFor(environment)) {
    groups.push(group)
    if (!json) process.stdout.write(describeGroup(group, process.stdout))
  }
  process.stdout.write(json ? describeExamination(groups) : describeTotal(groups))
  const isWrong = groups.some(({ findings }) => findings.some(({ level }) => level === 'error'))
  const exitCode = isWrong ? exitCodes.finding : 0
  if (groups.some(({ isLate }) => isLate)) endAtOnce(exitCode)
  return exitCode
}

/** An exit waits for calls of the operating system that hang; another program in place of this one does not. */
function endAtOnce(exitCode: number) {
  if (process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', `exit ${exitCode}`])
  process.exit(exitCode)
}

/** Without valid settings there is nothing else to examine. */
async function* groupsFor(environment: string | undefined): AsyncGenerator<Group> {
  const { node, sqlite } = process.versions
  const versions = { petstore: versionOf(), node, sqlite }
  let loaded: ReturnType<typeof loadConfig>
  try {
    loaded = loadConfig({ environment })
  } catch (problem) {
    if (!(problem instanceof ExitError)) throw problem
    yield { name: 'settings', findings: problemsIn(problem) }
    return
  }
  const firstKeyFile = firstKeyFileOf(loaded.config)
  const context = { clock: systemClock, random: systemRandom, storage }
  yield* examine({ ...loaded, ...context, versions, firstKeyFile })
}

function problemsIn({ message }: ExitError): Group['findings'] {
  return message.split('\n').map((line) => ({ check: 'values', level: 'error', message: line }))
}
