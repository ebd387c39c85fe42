import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { declaredAnswers, type Note } from '../harness/contract.ts'

/**
 * Fails unless a run of all tests saw everything that the document declares: every status of every operation, every
 * error code and every header. Reads what `test/harness/contract.ts` recorded.
 */

/** Exempt: these responses come before the path is known, so one of any path is enough. */
const codesBeforeRouting = ['request_timeout', 'headers_too_large']
/** Exempt: one function adds them to all responses to a key with a limit, so one of any operation is enough. */
const headersOfLimits = ['RateLimit-Policy', 'RateLimit']

function findUnseen(notes: readonly Note[]): string[] {
  return declaredAnswers.flatMap(({ operationId, status, codes, headers }) => {
    const isBeforeRouting =
      codes.length > 0 && codes.every((code) => codesBeforeRouting.includes(code))
    const seen = notes.filter(
      (note) => note.status === status && (isBeforeRouting || note.operationId === operationId),
    )
    const where = `${operationId} ${status}`
    if (seen.length === 0) return [`${where} was never answered`]
    const unseenCodes = codes.filter((code) => !seen.some((note) => note.code === code))
    const unseenHeaders = headers.filter((name) => {
      const possible = headersOfLimits.includes(name) ? notes : seen
      return !possible.some((note) => note.headers.includes(name.toLowerCase()))
    })
    return [
      ...unseenCodes.map((code) => `${where} never had the code ${code}`),
      ...unseenHeaders.map((name) => `${where} never had the header ${name}`),
    ]
  })
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
