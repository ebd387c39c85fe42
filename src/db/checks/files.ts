import { defineStorage } from '../storage.ts'

/** Checks the database files, on which all other checks rely. */
export const filesStorage = defineStorage({
  checks: [
    {
      name: 'files',
      promise: 'the files of the database are intact, and its rows meet its constraints',
      scan: {
        name: 'verifyFiles',
        async run(sql) {
          const damages = await sql.findDamage()
          return damages.map(({ message, isInRows }) =>
            isInRows
              ? { record: null, message: `The database reports: ${message}.`, repair: null }
              : {
                  record: null,
                  message: `The file is damaged, restore a backup: ${message}.`,
                  repair: null,
                  forbidsRepairs: true,
                },
          )
        },
      },
    },
  ],
})
