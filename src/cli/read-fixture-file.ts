import { readFileSync } from 'node:fs'
import { ExitError } from '../config/exit-error.ts'
import { parseJson } from '../contract/int64-json.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { Fixture } from '../test-bench/fixture.ts'

/** Reads the fixture in a file, or on standard input for `-`. Throws `ExitError`. */
export async function readFixtureFile(path: string): Promise<Fixture> {
  const value = parse(path, read(path))
  // Imported here, since it loads the features: other errors are reported sooner.
  const { readFixture } = await import('../test-bench/fixture.ts')
  try {
    return readFixture(value)
  } catch (error) {
    if (error instanceof ServiceError) throw new ExitError('usage', error.message, error)
    throw error
  }
}

function read(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file' : message
    throw new ExitError('usage', `--fixture ${path} cannot be read: ${reason}.`, error)
  }
}

function parse(path: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new ExitError(
      'usage',
      `--fixture ${path} is not JSON: ${(error as Error).message}.`,
      error,
    )
  }
}
