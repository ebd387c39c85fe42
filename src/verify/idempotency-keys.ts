import { decodeAnswer } from '../db/once.ts'
import type { Sql } from '../db/seam.ts'
import type { Check, Finding, RecordName } from './check.ts'
import {
  answerStepsOf,
  deleteAnswer,
  type KeptAnswer,
  lockAnswer,
  selectExisting,
  selectLastGiven,
} from './queries.ts'

type EffectTable = 'pets' | 'categories' | 'orders'

/** Where the record is that an operation answers with: of every one that is done once. */
export const effects: Readonly<Record<string, EffectTable>> = {
  createPet: 'pets',
  createCategory: 'categories',
  createOrder: 'orders',
  shipOrder: 'orders',
  deliverOrder: 'orders',
}

export const idempotencyKeysCheck: Check = {
  name: 'idempotencyKeys',
  promise: 'what a repeated request is answered has happened',
  scan: {
    name: 'verifyIdempotencyKeys',
    async run(sql, _input, checkTime) {
      const findings: Finding[] = []
      for await (const answers of answerStepsOf(sql, checkTime)) {
        for (const { answer, fault } of await findFaults(sql, answers)) {
          findings.push({
            record: nameOf(answer),
            message: `The answer kept for the Idempotency-Key ${JSON.stringify(answer.key)} of ${answer.operation} ${fault}.`,
            repair: 'forget it, so that a repetition is done anew',
          })
        }
      }
      return findings
    },
  },
  repair: {
    name: 'forgetAnswer',
    async run(sql, record) {
      const answer = await lockAnswer(sql, placeOf(record.id))
      const faults = answer ? await findFaults(sql, [answer]) : []
      if (answer && faults.length > 0) await deleteAnswer(sql, answer)
      return null
    },
  },
}

async function findFaults(sql: Sql, answers: readonly KeptAnswer[]) {
  const read = answers.map((answer) => ({ answer, ...readAnswer(answer) }))
  const idsIn = (table: string) =>
    read.flatMap((entry) => (entry.table === table && entry.id !== undefined ? [entry.id] : []))
  const orders = await selectExisting(sql, 'orders', idsIn('orders'))
  const categories = await selectExisting(sql, 'categories', idsIn('categories'))
  // Asked for after the answers: what they name has been given out by now.
  const lastPet = await selectLastGiven(sql, 'pets')

  return read.flatMap(({ answer, table, id, fault }) => {
    if (fault !== undefined) return [{ answer, fault }]
    if (table === undefined || id === undefined) return []
    // An animal may have been removed since.
    const isThere = {
      orders: orders.has(id),
      categories: categories.has(id),
      pets: id <= lastPet,
    }
    return isThere[table]
      ? []
      : [{ answer, fault: `names row ${id} of ${table}, which is not there` }]
  })
}

type Reading = { table?: EffectTable; id?: bigint; fault?: string }

function readAnswer({ operation, answer }: KeptAnswer): Reading {
  if (answer === null) return { fault: 'is missing' }
  const table = effects[operation]
  let value: unknown
  try {
    value = decodeAnswer(answer)
  } catch {
    return { fault: 'cannot be read' }
  }
  if (table === undefined) return {}
  const id = (value as { id?: unknown } | null)?.id
  return typeof id === 'bigint' ? { table, id } : { fault: 'names no record' }
}

type Place = Pick<KeptAnswer, 'keyId' | 'operation' | 'key'>

function nameOf({ keyId, operation, key }: Place): RecordName {
  return { table: 'idempotency_keys', id: `${keyId}/${operation}/${key}` }
}

/** The reverse of `nameOf`; a key may hold a `/` of its own. */
function placeOf(id: string): Place {
  const [keyId = '', operation = '', ...key] = id.split('/')
  return { keyId: BigInt(keyId), operation, key: key.join('/') }
}
