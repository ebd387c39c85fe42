import { selectContents } from '../../admin/seed/queries.ts'
import { defaultSeed, seedStore } from '../../admin/seed/seed-store.ts'
import type { Config } from '../../config/config.ts'
import { usageError } from '../../config/exit-error.ts'
import type { Context } from '../../context/context.ts'
import { listWords } from '../../contract/list-words.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { readSeedCount } from '../arguments/read-integer.ts'
import { counted, printJson, tell, timeSince } from '../text/print.ts'
import { withProgress } from '../text/progress.ts'
import { withStore } from './with-store.ts'

type Flags = FlagsOf<'json', 'count' | 'seed'> & { force: number }

/**
 * `seed`: adds demo data, and prints the counts on standard error, or as JSON on standard output. Throws `ExitError`,
 * `OpenError`.
 */
export async function seedCommand(flags: Flags): Promise<number> {
  const { seed = defaultSeed, force, json } = flags
  const count = readSeedCount('--count', flags.count)
  const inMemorySentence = `A store in memory ends with its process. Let one begin with pets: petstore serve --ephemeral --seed ${count}.`
  return withStore(flags, { inMemorySentence, purpose: 'fill' }, async (context, config) => {
    await requireConsent(context, config, force)
    const startMs = context.clock()
    const added = await withProgress((onProgress) =>
      seedStore(context, { count, seed, onProgress }),
    )
    if (json) return printJson({ ...added, seed })
    const amounts = [
      counted(added.pets, 'pet'),
      counted(added.categories, 'category', 'categories'),
      counted(added.orders, 'order'),
    ]
    tell(`${amounts.join(', ')} in ${timeSince(startMs)}; seed ${JSON.stringify(seed)}.`)
  })
}

/** Throws `usage` where demo data would be mixed with data of a production store, unless forced. */
async function requireConsent(context: Context, { environment, database }: Config, forces: number) {
  if (environment !== 'production' || forces >= 2) return
  const contents = await context.db.read(selectContents, undefined)
  if (contents.length === 0) return
  const remedy =
    forces === 0
      ? '--force --force adds to it all the same'
      : 'if you mean to add to it, say --force twice'
  throw usageError(
    `${database.name} is a production store with ${listWords(contents)} in it, and demo data would be mixed with them; ${remedy}.`,
  )
}
