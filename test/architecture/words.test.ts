import { type Files, itHolds } from './repository.ts'
import { scan } from './scan.ts'

/** Names with what stands in their place, by lines. In a literal, so that this file has none of them as an identifier. */
function tableOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]),
  )
}

/** Identifiers that gave way to a usual word, each with what to write. */
const retired = tableOf(`
Doubt: SettingIssue
Fill: Backfill
Mark: UndoScope, or what it marks
NoEntry: HostUnavailable
Once: IdempotencyClaim
Performed: Replayable
Place: TableRef, ParentRef, ClaimId, Endpoint
Stage: Endpoint
askThread: the worker
audit: verify
chief: primaryMetric
closely: strictRead
company: lingerMaxMs
createBatches: createBatcher
createTurns: createMutex, createLimiter
dash: skip
demandStore: requireSchema
doubtful: broken
enough: flushSize
entrant: participant
era: generation
fillsOf: backfillsOf
groundless: unjustified
handOver: fulfil
heed: enforceSettings
isExpected: matchesIfMatch
isMended: isRepaired
isOfPlace: isLocal
isTagged: hasEntityTag
judge: check
judgeFiles: readFileState
judgeOnly: findLoss
keyRing: keyCache
levelsMax: depthMax
lockCurrentStocks: lockAndExpire
lookAgain: poll
lookAtFiles: readFileState
lookEveryMs: pollEveryMs
mend: repair
mendFrame: repair
misled: readOnly
oddities: anomalies
onceOnly: idempotency
perform: handle
performOnce: writeIdempotent
prove: check
randomName: newIdempotencyKey
said: output
say: showToast
says: waitFor
survey: scanNumbers
tagFilter: entityTagFilter
talk: spawnCommand
thread: worker
together: defineWrite
toldIds: recordedIds
untoldIdsMax: unknownIdsMargin
writeOnce: writeIdempotent
`)

/** Names of files that did; with a folder where the name is fine elsewhere. */
const retiredFiles = tableOf(`
ask-thread.ts: worker-client.ts
frame/keys.tsx: kbd.tsx
hold.ts: reservations.ts
key-ring.ts: key-cache.ts
once.ts: idempotency.ts
postgres/route.ts: host-selector.ts
random-name.ts: idempotency-key.ts
refusals.ts: unavailable.ts
seam.ts: db.ts
statements.ts: storage.ts
thread-client.ts: worker-client.ts
thread.ts: worker.ts
`)

const source = /^(?:src|test|bench|console\/src|client|tools|bin)\/.*\.[jt]sx?$/

function findRetiredIdentifiers(files: Files): string[] {
  return sourcesIn(files).flatMap((path) => {
    const identifiers = new Set(scan(files.get(path) ?? '').code.match(/[A-Za-z_$][\w$]*/g))
    return [...identifiers].flatMap((name) => {
      const better = retired.get(name)
      return better === undefined ? [] : [`${path} has the identifier ${name}: write ${better}.`]
    })
  })
}

function findRetiredFileNames(files: Files): string[] {
  return sourcesIn(files).flatMap((path) => {
    const [name = '', folder] = path.split('/').reverse()
    const better = retiredFiles.get(name) ?? retiredFiles.get(`${folder}/${name}`)
    return better === undefined ? [] : [`${path}: name it ${better}.`]
  })
}

function sourcesIn(files: Files): string[] {
  return [...files.keys()].filter((path) => source.test(path))
}

itHolds('no identifier is one that was retired', findRetiredIdentifiers, [
  { 'src/app/a.ts': 'const inTurn = createTurns() // say, mend' },
  { 'console/src/a.tsx': 'const a = <Save act={() => say(shown)} />' },
])

itHolds('no file has a name that was retired', findRetiredFileNames, [
  { 'src/db/postgres/route.ts': '', 'src/http/route.ts': '' },
  { 'src/features/keys/key-ring.ts': '' },
])
