/** What the interface promises, integers, keys. */
export const contract = `
accepts limit=101
  tests: test/http/parameters.test.ts
  src/contract/paging.ts
  - const limitMax = 100
  + const limitMax = 101
converts "7" to 7
  tests: src/features/pets/create-pet.test.ts
  src/http/request/schema.ts
  - if (typeof value === 'number') return
  + if (typeof value === 'string' && /^\\d+$/.test(value)) return BigInt(value)
  +   if (typeof value === 'number') return
returns null for an absent status
  tests: src/features/pets/create-pet.test.ts
  src/features/pets/create-pet.ts
  - { id: result, ...newPet }
  + { id: result, status: null as never, ...newPet }
skips the key check on HEAD
  tests: src/http/methods.test.ts
  src/http/route.ts
  - const caller = authenticate(
  + if (request.method === 'HEAD') return done()
  +       const caller = authenticate(
joins the running query instead of the next
  tests: src/db/batching/shared-reads.test.ts
  src/db/batching/shared-reads.ts
  -   const lanes = new Map<AnyQuery, Lane>()
  +   const lanes = new Map<AnyQuery, Lane>()
  +   const latest = new Map<unknown, Reading>()
  src/db/batching/shared-reads.ts
  - let reading = lane.waiting.get(key)
  + let reading = lane.waiting.get(key) ?? latest.get(key)
  src/db/batching/shared-reads.ts
  - lane.waiting.set(key, reading)
  + lane.waiting.set(key, reading)
  +         latest.set(key, reading)
ignores the cursor's filters
  tests: src/http/request/paging.test.ts
  src/http/request/parameters.ts
  - , names.map((key) => [key, withoutBigInt(filters[key])])
  +
drops a lifecycle header on 404
  tests: src/features/pets/get-pet.test.ts
  src/http/response/send-error.ts
  -   if (retryAfterSeconds)
  +   if (status === 404) reply.removeHeader('sunset')
  +   if (retryAfterSeconds)
returns a member that Pet does not have
  tests: test/interface/strict-client.test.ts
  src/features/pets/contract.ts
  -     status: Type.Optional(
  +     kind: Type.Optional(Type.String()),
  +     status: Type.Optional(
  src/features/pets/create-pet.ts
  - { id: result, ...newPet }
  + { id: result, kind: 'pet', ...newPet } as Pet
returns 500 instead of 400 for one invalid byte
  tests: test/http/strings.test.ts
  src/http/request/body.ts
  -   if (!isUtf8(bytes)) {
  +   if (!isUtf8(bytes)) {
  +     throw new Error('a bad byte')
input: sends problem details to clients that prefer JSON
  tests: src/http/response/send-error.test.ts
  src/http/request/accept.ts
  - problem > 0 && problem >= weightOfJson(weights)
  + problem > 0
input: keeps a request id that begins as a key does
  tests: test/http/keys-in-logs.test.ts
  src/http/observe.ts
  - (?!pet_)
  + (?!pet_pet_)
keys: a key revokes a stronger one
  tests: src/features/keys/revoke-key.test.ts
  src/features/keys/change-key.ts
  - [...(key?.scopes ?? []), ...scopes]
  + scopes
keys: the key with most requests in line has the next turn too
  tests: test/http/request-queue.test.ts
  src/context/key-line.ts
  - for (const [keyId, line] of this.#lines) {
  + for (const [keyId, line] of [...this.#lines].sort(([, a], [, b]) => b.length - a.length)) {
keys: two requests at once revoke the last two keys that manage keys
  tests: src/features/keys/revoke-key.test.ts
  src/features/keys/change-key.ts
  - !(await hasOtherManager(tx, id))
  + false
input: logs what the database says of a key
  tests: test/http/keys-in-logs.test.ts
  src/telemetry/log.ts
  - escapeUnsafe(maskKeys(line))
  + escapeUnsafe(line)
input: logs the value of a parameter that is a text
  tests: test/http/keys-in-logs.test.ts
  src/telemetry/access-log.ts
  - isShown(name, value) ? value : hidden
  + isShown(name, value) || name === 'name' ? value : hidden
input: rounds an integer that is nested
  tests: src/contract/int64-json.test.ts test/http/int64.test.ts
  src/contract/int64-json.ts
  - if (isExact && double !== 0) return double
  + if (isExact || double > 1e15) return double
input: takes a number that is almost an integer for one
  tests: src/contract/int64-json.test.ts test/http/int64.test.ts
  src/contract/int64-json.ts
  - if (scale < 0) return Number.NaN
  + if (scale < 0) return double
input: lets a member replace a prototype
  tests: src/contract/int64-json.test.ts
  src/contract/int64-json.ts
  - else if (name !== '__proto__')
  + else if (name !== '')
input: writes numbers that were rounded
  tests: src/contract/int64-json.test.ts
  src/contract/int64-json.ts
  - if (typeof value === 'number') requireExact(value)
  + if (typeof value === 'number') requireExact(0)
keys: keeps a key that was looked up before it was revoked
  tests: src/features/keys/remembered-key.test.ts
  src/features/keys/key-cache.ts
  - if (found.revision === revision) {
  + if (found.key) {
keys: a key with an end rotates one without
  tests: src/features/keys/grants.test.ts
  src/features/keys/change-key.ts
  - changed.digest !== key.digest || !isCovered
  + !isCovered
remembers a key beyond its revocation
  tests: src/features/keys/remembered-key.test.ts
  src/features/keys/key-cache.ts
  - last?.key === key && last.revision === revision
  + last?.key === key
a position whose events are deleted gets a page that begins after the gap
  tests: src/features/events/pruning/prune-events.test.ts
  src/features/events/queries.ts
  - (after < prunedTo || after > last)
  + (after < 0n || after > last)
contract: names the scopes of a key unasked
  tests: src/http/authenticate.test.ts
  src/http/route.ts
  - if (actor && preferences.wantsScopes) reply
  + if (actor) reply
contract: answers 304 with the scopes of the key that asked
  tests: src/http/authenticate.test.ts
  src/http/response/stream.ts
  - for (const name of headersWithheldFrom304(operation)) reply
  + for (const name of headersWithheldFrom304(operation)) if (name !== 'Petstore-Scopes') reply
contract: sets a stock that changed since its tag was read
  tests: test/interface/entity-tags.test.ts
  src/features/sales/update-inventory.ts
  - requireMatch(input, seen
  + if (quantity < 0) requireMatch(input, seen
contract: deletes a category that changed since its tag was read
  tests: test/interface/entity-tags.test.ts
  src/features/if-match.ts
  - if (ifMatch !== undefined && !names(ifMatch))
  + if (typeof locked === 'string' && ifMatch !== undefined && !names(ifMatch))
contract: shows the stock of a pet without a status
  tests: src/features/sales/get-inventory.test.ts test/interface/store-model.test.ts
  src/features/sales/queries.ts
  - (row[2] === null ? undefined : itemTable.itemOf(row))
  + itemTable.itemOf(row[2] === null ? [row[0] ?? null, row[1] ?? null, 'sold'] : row)
contract: makes generated clients require the quantity of an order
  tests: test/interface/document.test.ts
  src/features/sales/contract/orders.ts
  - ...quantity, absentMeans: 1
  + ...quantity, absentMeans: 1, default: 1
contract: sends test data to the other environment
  tests: test/interface/document.test.ts
  src/config/config.ts
  - ...(hasSibling ? { siblingUrl } : {}),
  + siblingUrl,
contract: serves health only beside the base address
  tests: src/features/health/health.test.ts
  src/http/route.ts
  - const prefixes = [kit.prefix,
  + const prefixes = [operation.isUnversioned ? '' : kit.prefix,
contract: ignores after
  tests: src/http/request/paging-after.test.ts
  src/http/request/parameters.ts
  - filter: filters, page: pageAfter(after), list
  + filter: filters, page: pageAfter(undefined), list
contract: accepts after and a cursor with different positions
  tests: src/http/request/paging-after.test.ts
  src/http/request/parameters.ts
  - if (after !== undefined && after !== place)
  + if (after === -1n)
contract: makes after a part of the identity of the list
  tests: src/http/request/paging-after.test.ts
  src/http/request/parameters.ts
  - sort = 'id', after, cursor, ...filters } = query
  + sort = 'id', cursor, ...filters } = query
  +   const { after } = filters
contract: accepts lone surrogates
  tests: src/contract/text-rules.test.ts test/http/strings.test.ts
  src/http/request/schema.ts
  - data: string) => data.isWellFormed()
  + data: string) => data.length > 0
contract: refuses a name that begins with a no-break space
  tests: src/contract/text-rules.test.ts
  src/contract/text-rules.ts
  - textPattern = \`^[^\\\\S
  + textPattern = \`^[^\\\\S\\\\xA0
contract: treats an order of 1 unlike one without a quantity
  tests: src/http/idempotency.test.ts
  src/http/idempotency.ts
  - ?? schema.absentMeans
  + ?? schema
contract: a stream without an end keeps a stop waiting
  tests: test/http/streams.test.ts
  src/http/protocol/connections.ts
  - endStreams: () => stopping.abort(),
  + endStreams: () => undefined,
contract: a cancelled download holds its source
  tests: test/http/streams.test.ts
  src/http/response/stream.ts
  -       closing.abort()
contract: gives two codings of the document the same tag
  tests: src/openapi/get-document.test.ts
  src/http/response/compressible.ts
  - const suffix = coding === 'identity'
  + const suffix = coding !== ''
contract: omits Origin from Vary
  tests: src/openapi/get-document.test.ts
  src/http/response/stream.ts
  - [reply.getHeader('vary'), name]
  + [name]
scans: joins a running one
  tests: src/db/batching/shared-scans.test.ts
  src/db/batching/limiter.ts
  -   let running = 0
  +   let running = 0
  +   const begun = new Map<unknown, Waiting>()
  src/db/batching/limiter.ts
  -         waiting.delete(key)
  -         for
  +         waiting.delete(key)
  +         begun.set(key, task)
  +         for
  src/db/batching/limiter.ts
  - waiting.get(key) ?? enqueue
  + waiting.get(key) ?? begun.get(key) ?? enqueue
searches: a page that the first records do not fill is the last
  tests: src/features/pets/search-strategies.test.ts
  src/db/lists/search.ts
  - if (rows.length > search.page.limit) return rows
  + if (rows.length > 0) return rows
searches: walks no further than a step
  tests: src/features/pets/search-strategies.test.ts
  src/db/lists/search.ts
  - if (rows.length > page.limit || end === undefined) return rows
  + return rows
`
