/**
 * npm run test:damage -- [ROUNDS] [--seed N] [--backups]
 * Overwrites random bytes of a store's file and serves it, and requires that each response is a whole record or
 * an error. With --backups it edits backups, checks and restores them, and requires that each is refused or whole. Exits with 1
 * at the first that is neither.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBackedUpStore } from '../harness/backed-up-store.ts'
import { runDamageRounds } from '../harness/damage-rounds.ts'
import { runEditedBackups } from '../harness/edited-backup-rounds.ts'
import { showProgress } from '../harness/progress.ts'
import { withSeed } from './with-seed.ts'

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, backups: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const rounds = Number(positionals[0] ?? (values.backups ? 10_000 : 1_000))

await withSeed(`damage: ${rounds} rounds`, values.seed, values.backups ? editBackups : damageStores)
process.exit()

async function damageStores(seed: number) {
  const done = await runDamageRounds({
    rounds,
    seed,
    onRound: (soFar) => showProgress(`round ${soFar.rounds} of ${rounds}, ${soFar.errors} errors`),
  })
  console.log(
    `damage: passed. ${done.rounds} damaged files, ${done.refusedStarts} of them refused at the start; ` +
      `${done.answers} answers, ${done.errors} of them 500 or 503, none a record that is not whole.`,
  )
}

async function editBackups(seed: number) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-edited-backups-'))
  try {
    await makeBackedUpStore(folder)
    const done = await runEditedBackups({
      backup: join(folder, 'pets.backup'),
      rounds,
      seed,
      onRound: (soFar) =>
        showProgress(`round ${soFar.rounds} of ${rounds}, ${soFar['restored refused']} refused`),
    })
    console.log(
      `damage: passed. ${done.rounds} edited backups; --check refused ${done['checked refused']}, had findings of ${done['checked findings']}; ` +
        `restore refused ${done['restored refused']}, had findings of ${done['restored findings']}; none that was not whole. ` +
        `The slowest took ${(done.slowestMs / 1_000).toFixed(1)} s for both.`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
