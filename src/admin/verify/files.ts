import { defineStorage } from '../../db/storage.ts'

/** Checks the database files, on which all other checks rely. */
export const filesStorage = defineStorage({
  checks: [
    {
      name: 'files',
      promise: 'the files of the database are whole, and its rows keep its own rules',
      scan: {
        name: 'verifyFiles',
        async run(sql) {
          const damages = await sql.findDamage()
          return damages.map(({ message, isInRows }) =>
            isInRows
              ? { record: null, message: `The database says: ${message}.`, repair: null }
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
