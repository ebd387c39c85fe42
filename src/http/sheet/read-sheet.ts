import { createHash } from 'node:crypto'
import type { Matching, ReceivedSheet, ReceivedStream } from '../../contract/content.ts'
import { bodyTooLarge } from '../request/body.ts'
import { aboutBody } from '../request/describe-failure.ts'
import { aboutCells, checkCsv } from './check-csv.ts'
import { checkNdjson } from './check-ndjson.ts'
import { compileRow, type RowSchemas } from './compile-row.ts'
import { createMatcher } from './match-columns.ts'
import { readUtf8 } from './read-utf8.ts'

/**
 * Compiles the reading of files of rows, CSV or NDJSON. Reading throws `invalid_body`, `invalid_parameter`,
 * `body_too_large`.
 */
export function compileSheet(schemas: RowSchemas) {
  const ofCells = compileRow(schemas, aboutCells)
  const ofJson = compileRow(schemas, aboutBody)

  return (
    { mediaType, chunks }: ReceivedStream,
    matching: Matching,
    bytesMax: number,
  ): ReceivedSheet => {
    const matcher = createMatcher(ofJson.members, matching)
    const hash = createHash('sha256').update(mediaType)

    async function* hashed() {
      let sizeBytes = 0
      for await (const chunk of chunks) {
        sizeBytes += chunk.length
        if (sizeBytes > bytesMax) throw bodyTooLarge(bytesMax)
        hash.update(chunk)
        yield chunk
      }
    }
    const slices = readUtf8(hashed())
    return {
      rows:
        mediaType === 'text/csv'
          ? checkCsv(slices, matcher, ofCells)
          : checkNdjson(slices, matcher, ofJson),
      ignored: matcher.ignored,
      digest: () => hash.digest(),
    }
  }
}
