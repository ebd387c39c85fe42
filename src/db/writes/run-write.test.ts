import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { freshDatabase } from '../../../test/harness/engine.ts'
import { repeatInDatabase } from '../../../test/harness/repeat.ts'
import { storage } from '../../app/storage.ts'
import { settings } from '../../config/settings.ts'
import {
  type Db,
  defineWrite,
  type IdempotencyClaim,
  type Log,
  type LoggedChange,
  type Outcome,
  oneByOne,
  type Sql,
  type Tx,
} from '../db.ts'
import { Refusal } from '../errors.ts'
import type { OnCommit } from '../on-commit.ts'
import { openDb } from '../open.ts'
import { combineStorage, defineStorage } from '../storage.ts'
import { createCommitReporter } from './run-write.ts'

// Writes that are called in one turn of the event loop are one batch, in this order of arrival.

type Note = { text: string; isRefused?: boolean }

const insertSql = 'insert into pets (name, name_key, category_id, on_hand) values (?1, ?1, 7, 1)'

/** Stores and records each note, those that it refuses too: what they leave must be undone. */
const insertNote = oneByOne<Note, string>({
  name: 'insertNote',
  async run(tx, note) {
    await tx.all(insertSql, [note.text])
    tx.record(note, changeOf(note))
    if (note.isRefused) throw refusalOf(note)
    return note.text
  },
})

/** As `insertNote`, for all notes at once: it stores only those that it does not refuse. */
const insertNotes = defineWrite<Note, string>({
  name: 'insertNotes',
  async run(tx, notes) {
    const outcomes: Outcome<string>[] = []
    for (const note of notes) {
      tx.record(note, changeOf(note))
      outcomes.push(
        note.isRefused ? { refusal: refusalOf(note) } : { value: await store(tx, note) },
      )
    }
    return outcomes
  },
})

function changeOf({ text }: Note) {
  return { type: 'note.created', record: 'note', id: BigInt(text.length), data: { text } }
}

async function store(tx: Tx, { text }: Note): Promise<string> {
  await tx.all(insertSql, [text])
  return text
}

function refusalOf({ text }: Note): Refusal {
  return new Refusal('insufficient_stock', `No room for ${text}.`)
}

const selectNotes = {
  key: () => '',
  async run(sql: Sql, inputs: readonly undefined[]) {
    const rows = await sql.all<[string]>('select name from pets order by name')
    const names = rows.map(([name]) => name)
    return inputs.map(() => names)
  },
}

/** A store with these writes; `logged` are its changes, `told` their types at each call of `onCommit`. */
async function startDb(t: TestContext, observing: Partial<OnCommit> = {}) {
  const { address, giveBack } = await freshDatabase()
  const told: (readonly string[])[] = []
  const warnings: string[] = []
  const logged: LoggedChange[] = []
  const log: Log = {
    ...(storage.log as Log),
    rowsOf(changes) {
      logged.push(...changes)
      return []
    },
  }
  const db = await openDb(settings.database.read(address), {
    storage: combineStorage([defineStorage({ writes: [insertNote, insertNotes], log }), storage]),
    storageUrl: '',
    warn: (sentence) => warnings.push(sentence),
    onLost: () => undefined,
    onCommit: {
      async committed({ changed }) {
        // Late, so that a write that does not wait for this resolves first.
        await new Promise(setImmediate)
        if (changed.size > 0) told.push([...changed.keys()])
      },
      ...observing,
    },
  })
  repeatInDatabase(db)
  t.after(async () => {
    await db.close()
    await giveBack()
  })
  return { db, told, logged, warnings }
}

/** Values, `again` with those of replays, and the codes and messages of refusals. */
async function outcomesOf(writes: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(writes)
  return settled.map((one) => {
    if (one.status === 'rejected') return `${one.reason.code}: ${one.reason.message}`
    const { value, isReplayed } = one.value as { value: string; isReplayed: boolean }
    return isReplayed ? `again ${value}` : value
  })
}

const now = Date.parse('2027-01-01T00:00:00Z')

function claimOf(key: string, { text }: Note): IdempotencyClaim {
  const fingerprint = Buffer.alloc(32, text)
  const expiresAt = now + 86_400_000
  return { keyId: 1n, operation: 'noteIt', key, fingerprint, now, expiresAt, isWithheld: false }
}

for (const write of [insertNote, insertNotes]) {
  const keyed = (db: Db, key: string, note: Note) =>
    db.writeIdempotent(write, note, claimOf(key, note))
  const plain = async (db: Db, note: Note) => ({ value: await db.write(write, note) })
  const stored = (db: Db) => db.read(selectNotes, undefined)

  it(`${write.name}: a claim that may store nothing is replayed once its first request has ended, else refused`, async (t) => {
    const { db } = await startDb(t)
    const first = { text: 'a' }
    const blocked = (key: string, note: Note) =>
      db.writeIdempotent(write, note, { ...claimOf(key, note), obstacle: 'Full.' })

    const outcomes = await outcomesOf([
      keyed(db, 'k', first),
      blocked('k', first),
      blocked('other', { text: 'b' }),
    ])
    const later = await outcomesOf([blocked('k', first)])

    const full = 'too_many_idempotency_keys: Full.'
    assert.deepEqual([...outcomes, ...later], ['a', 'again a', full, 'again a'])
    assert.deepEqual(await stored(db), ['a'])
  })

  it(`${write.name}: an input that is refused undoes nothing of the others, and is told its own reason`, async (t) => {
    const { db } = await startDb(t)

    const outcomes = await outcomesOf([
      plain(db, { text: 'a', isRefused: true }),
      plain(db, { text: 'b' }),
      plain(db, { text: 'c', isRefused: true }),
      keyed(db, 'd', { text: 'd' }),
      keyed(db, 'e', { text: 'e', isRefused: true }),
    ])

    assert.deepEqual(outcomes, [
      'insufficient_stock: No room for a.',
      'b',
      'insufficient_stock: No room for c.',
      'd',
      'insufficient_stock: No room for e.',
    ])
    assert.deepEqual(await stored(db), ['b', 'd'])
  })

  it(`${write.name}: of requests with one key the first is performed, equal ones repeat it, others are refused`, async (t) => {
    const { db } = await startDb(t)

    const outcomes = await outcomesOf([
      keyed(db, 'k', { text: 'a' }),
      keyed(db, 'k', { text: 'a' }),
      keyed(db, 'other', { text: 'b' }),
      keyed(db, 'k', { text: 'c' }),
      keyed(db, 'k', { text: 'a' }),
    ])
    const later = await outcomesOf([
      keyed(db, 'k', { text: 'a' }),
      keyed(db, 'new', { text: 'd' }),
      keyed(db, 'k', { text: 'd' }),
    ])

    const reused =
      'idempotency_key_reused: This Idempotency-Key was used for another request. Send a new key with a new request.'
    assert.deepEqual(outcomes, ['a', 'again a', 'b', reused, 'again a'])
    assert.deepEqual(later, ['again a', 'd', reused])
    assert.deepEqual(await stored(db), ['a', 'b', 'd'])
  })

  it(`${write.name}: a refusal is not stored with its key: equal requests get it too, others never do`, async (t) => {
    const { db } = await startDb(t)
    const refused = { text: 'a', isRefused: true }
    const noRoom = 'insufficient_stock: No room for a.'

    const [first, equal, other] = await outcomesOf([
      keyed(db, 'k', refused),
      keyed(db, 'k', refused),
      keyed(db, 'k', { text: 'b' }),
    ])
    const later = await outcomesOf([keyed(db, 'free', refused)])
    const again = await outcomesOf([keyed(db, 'free', { text: 'c' })])

    assert.deepEqual([first, equal, ...later, ...again], [noRoom, noRoom, noRoom, 'c'])
    // On PostgreSQL it may have waited for the others, and then it is the first.
    const inUse =
      'idempotency_key_in_use: A request with this Idempotency-Key is in progress. Retry in a moment.'
    assert.ok([inUse, 'b'].includes(String(other)), String(other))
    assert.deepEqual(await stored(db), other === 'b' ? ['b', 'c'] : ['c'])
  })

  it(`${write.name}: changes are logged, and told once for each commit before its writes resolve, but for those of refused inputs`, async (t) => {
    const { db, told, logged } = await startDb(t)
    const actor = { type: 'key', name: 'shop', keyId: 7n } as const
    const origin = { actor, now, requestId: 'r' }
    const toldBefore: number[] = []
    const note = async (text: string, isRefused = false) => {
      const written = db.write(write, { text, isRefused }, origin)
      await written.finally(() => toldBefore.push(told.length))
    }

    await Promise.allSettled([note('a'), note('bb', true), note('ccc')])
    await outcomesOf([keyed(db, 'k', { text: 'dddd' }), keyed(db, 'k', { text: 'dddd' })])
    await outcomesOf([
      keyed(db, 'k', { text: 'dddd' }),
      keyed(db, 'l', { text: 'e', isRefused: true }),
    ])

    const byKey = logged.filter((change) => change.origin === origin)
    assert.deepEqual(
      logged.map(({ data }) => data),
      [{ text: 'a' }, { text: 'ccc' }, { text: 'dddd' }],
    )
    assert.deepEqual(byKey, logged.slice(0, 2))
    assert.deepEqual(logged[2]?.origin.actor, { type: 'command', name: 'petstore' })
    assert.deepEqual(toldBefore, [1, 1, 1])
    assert.deepEqual(told, [['note.created'], ['note.created']])
  })
}

it('a write is stored and resolves although observers of its commit throw: they are a warning', async (t) => {
  const { db, told, warnings } = await startDb(t, {
    reported() {
      throw new Error('The report broke.')
    },
  })
  const rejecting = await startDb(t, { committed: async () => Promise.reject(new Error('Late.')) })

  const outcomes = await outcomesOf([
    db.write(insertNote, { text: 'a' }).then((value) => ({ value })),
    rejecting.db.write(insertNotes, { text: 'b' }).then((value) => ({ value })),
  ])

  assert.deepEqual(outcomes, ['a', 'b'])
  assert.deepEqual(told, [['note.created']])
  assert.deepEqual(await db.read(selectNotes, undefined), ['a'])
  assert.deepEqual(await rejecting.db.read(selectNotes, undefined), ['b'])
  assert.deepEqual(warnings, ['An observer of commits failed: The report broke.'])
  assert.deepEqual(rejecting.warnings, ['An observer of commits failed: Late.'])
})

it('batches of one commit are told in their order, after its one report', async () => {
  const told: unknown[] = []
  const tell = createCommitReporter({
    onCommit: {
      reported: () => told.push('commit'),
      committed: ({ origins }) => void told.push(origins[0]?.requestId),
    },
  })
  const times = { inputs: 3, statementsMs: 1, commitMs: 1 }
  const stored = { commit: times, changed: new Map(), beganMs: 1 }
  const jobOf = (requestId: string) => ({
    input: undefined,
    origin: { actor: { type: 'job', name: 'test' }, now: 0, requestId } as const,
  })

  await Promise.all(
    ['a', 'b', 'c'].map((id) => tell([jobOf(id)], stored, { sentMs: 0, pending: 3 })),
  )

  assert.deepEqual(told, ['commit', 'a', 'b', 'c'])
})
