import { createReadStream, statSync } from 'node:fs'
import { usageError } from '../../config/exit-error.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Fixture } from '../../test-bench/fixture.ts'
import { fixtureSizeMaxBytes } from '../../test-bench/fixture-size.ts'
import { readJson } from '../operations/read-request.ts'

/** Reads the fixture in a file, or on standard input for `-`. Throws `ExitError`. */
export async function readFixtureFile(path: string): Promise<Fixture> {
  const value = readJson(`--fixture ${path}`, await read(path))
  // Imported here, since it loads the features: other errors are reported sooner.
  const { readFixture } = await import('../../test-bench/fixture.ts')
  try {
    return readFixture(value)
  } catch (error) {
    if (error instanceof ServiceError) throw usageError(error.message, error)
    throw error
  }
}

async function read(path: string): Promise<string> {
  try {
    // A pipe may have no writer, and a device no end.
    if (path !== '-' && !statSync(path).isFile())
      throw new Error('it is not a file; --fixture - reads standard input')
    return await textOf(path === '-' ? process.stdin : createReadStream(path))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file' : message
    throw usageError(`--fixture ${path} cannot be read: ${reason}.`, error)
  }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of stream) {
    sizeBytes += chunk.length
    if (sizeBytes > fixtureSizeMaxBytes)
      throw new Error(`it has more than ${fixtureSizeMaxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
