import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { storage } from '../../app/storage.ts'
import { openDbBriefly } from '../../db/open.ts'
import { loadMigrations } from '../../db/schema/migrate.ts'
import { claimDatabase } from '../../features/environment/claim-database.ts'
import { seedStore } from '../seed/seed-store.ts'
import { writeBackup } from './write-backup.ts'

it('a backup is verified as it is, after its last page was written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-write-'))
  const path = join(folder, 'petstore.db')
  const source = { engine: 'sqlite', path, name: path } as const
  const db = await openDbBriefly(source, {
    storage,
    warn: assert.fail,
  })
  await claimDatabase(db, path, 'production')
  await seedStore({ db, clock: () => 0 }, { count: 200 })
  await db.close()
  const request = (file: string) => {
    writeFileSync(file, '')
    const madeAt = '2026-12-05T03:00:00.000Z'
    return { source, environment: 'production', file, name: 'b', program: '1.0.0', madeAt } as const
  }

  const sound = await writeBackup(storage, request(join(folder, 'sound')), () => undefined)
  const damaged = writeBackup(
    storage,
    request(join(folder, 'damaged')),
    ({ unit, done, total }) => {
      // The rows have been read back, and the manifest is still to come.
      if (unit === 'rows' && done === total) damageIndex(join(folder, 'damaged'))
    },
  )

  assert.equal(sound.manifest.schema, loadMigrations('sqlite').at(-1)?.name)
  await assert.rejects(
    damaged,
    /^OpenError: The copy of \S+ cannot be used\. The file is damaged, /,
  )
  rmSync(folder, { recursive: true })
})

/** Changes the search key of a name in its index, which has it a second time. */
function damageIndex(file: string) {
  const bytes = readFileSync(file)
  const texts = bytes.toString('latin1').matchAll(/"name":"([^"]+)","categoryId"/g)
  const name = [...texts].at(-1)?.[1]?.toLowerCase() ?? assert.fail()
  const places: number[] = []
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) places.push(at)
  for (const place of places) bytes.write('#', place)
  writeFileSync(file, bytes)
}
