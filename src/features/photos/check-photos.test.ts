import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isOnPostgres } from '../../../test/harness/engine.ts'
import { put, startWithPet } from '../../../test/harness/photos.ts'
import { png } from '../../../test/harness/pictures.ts'
import { takeTouchedRows } from '../../../test/harness/touched-rows.ts'
import { repairStore, verifyStore } from '../../admin/verify/verify-store.ts'
import { storage } from '../../app/storage.ts'
import type { ServiceContext } from '../../context/context.ts'
import type { Sql } from '../../db/db.ts'

const aByte = isOnPostgres ? "decode('00', 'hex')" : "x'00'"

/** Changes the store behind the back of the service. */
function damage({ db }: ServiceContext, text: string): Promise<unknown> {
  const change = async (sql: Sql) => {
    await sql.all(text)
    // No write of the service has touched them.
    return [await takeTouchedRows(sql)]
  }
  return db.read({ key: () => text, run: change }, undefined)
}

async function verify(context: ServiceContext) {
  const results = await Array.fromAsync(verifyStore(context, storage.checks))
  return results.filter(({ findings }) => findings.length > 0)
}

const messagesIn = (results: Awaited<ReturnType<typeof verify>>) =>
  results.flatMap(({ findings }) => findings.map(({ message }) => message))

it('verify finds a photo whose file is another one, or missing; a file without a photo is deleted by a repair, others come back with the photo', async () => {
  const { api, context, id } = await startWithPet()
  const other = await api.createPet()
  const third = await api.createPet()
  for (const petId of [id, other.id, third.id]) await put(api, petId, png())
  assert.deepEqual(await verify(context), [])

  await damage(context, `update photo_files set bytes = ${aByte} where id = ${id}`)
  await damage(context, `delete from photo_files where id = ${other.id}`)
  await damage(context, `delete from photos where id = ${third.id}`)
  const found = await verify(context)

  assert.deepEqual(messagesIn(found), [
    `The file of the photo of pet ${id} is not the one that was stored.`,
    `The file of the photo of pet ${other.id} is missing.`,
    `File ${third.id} belongs to no photo.`,
  ])
  await repairStore(context, storage.checks, found)
  // The same file as before takes the place of the damaged one.
  for (const petId of [id, other.id]) await put(api, petId, png())
  assert.deepEqual(await verify(context), [])
})
