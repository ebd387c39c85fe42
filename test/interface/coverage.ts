import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commonHeaders, declaredAnswers, type Note } from '../harness/contract.ts'

/**
 * Fails unless a run of all tests saw everything that the document declares: every status of every operation, every
 * error code and every header. Reads what `test/harness/contract.ts` recorded.
 */

/** Exempt: these responses come before the path is known, so one of any path is enough. */
const codesBeforeRouting = ['request_timeout', 'headers_too_large']

function findUnseen(notes: readonly Note[]): string[] {
  const isUnseen = (notes: readonly Note[]) => (name: string) =>
    !notes.some((note) => note.headers.includes(name.toLowerCase()))
  const ofAnswers = declaredAnswers.flatMap(({ operationId, status, codes, headers }) => {
    const isBeforeRouting =
      codes.length > 0 && codes.every((code) => codesBeforeRouting.includes(code))
    const seen = notes.filter(
      (note) => note.status === status && (isBeforeRouting || note.operationId === operationId),
    )
    const where = `${operationId} ${status}`
    if (seen.length === 0) return [`${where} was never answered`]
    const unseenCodes = codes.filter((code) => !seen.some((note) => note.code === code))
    return [
      ...unseenCodes.map((code) => `${where} never had the code ${code}`),
      ...headers.filter(isUnseen(seen)).map((name) => `${where} never had the header ${name}`),
    ]
  })
  const ofAny = commonHeaders.filter(isUnseen(notes))
  return [...ofAnswers, ...ofAny.map((name) => `x-any-response never had the header ${name}`)]
}

function readNotes(folder: string): Note[] {
  return readdirSync(folder).flatMap((file) => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Note)
  })
}

const folder = process.env.CONTRACT_NOTES
const problems = folder
  ? findUnseen(readNotes(folder))
  : ['CONTRACT_NOTES names no folder: tools/check.ts sets it for a run of all tests.']
if (problems.length > 0) {
  console.error(`openapi.json declares what no test saw:\n${problems.join('\n')}`)
  process.exitCode = 1
}
