import { checkLibrary } from '../../db/sqlite/check-library.ts'
import { describeFewFiles } from '../../http/protocol/open-files.ts'
import { error, type Finding, ok, warning } from './finding.ts'

export type ProgramFacts = {
  versions: { petstore: string; node: string; sqlite: string | undefined }
  connectionsMax: number
  /** Linux's file with the limits of this process. */
  limitsPath?: string
}

/** What the program runs on. */
export function checkProgram(facts: ProgramFacts): Finding[] {
  return [checkVersions(facts), checkOpenFiles(facts)]
}

function checkVersions({ versions: { petstore, node, sqlite } }: ProgramFacts): Finding {
  try {
    checkLibrary(sqlite)
  } catch (problem) {
    const { message } = problem as Error
    return error('versions', `${message} Install the newest Node 26, or let bin/petstore bring it.`)
  }
  return ok('versions', `petstore ${petstore}, Node ${node}, SQLite ${sqlite}.`)
}

function checkOpenFiles({ connectionsMax, limitsPath }: ProgramFacts): Finding {
  const problem = describeFewFiles(connectionsMax, limitsPath)
  if (problem !== undefined) return warning('openFiles', problem)
  return ok('openFiles', `This process may open enough files for ${connectionsMax} connections.`)
}
