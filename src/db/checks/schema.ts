import { describeDifferences } from '../schema-difference.ts'
import { defineStorage } from '../storage.ts'

/** Checks that nobody has changed the schema, by which the database keeps the rules. */
export const schemaStorage = defineStorage({
  checks: [
    {
      name: 'schema',
      promise: 'the tables, indexes and triggers are those that the migrations make',
      scan: {
        name: 'verifySchema',
        async run(sql) {
          const differences = await sql.compareSchema()
          return differences.map((difference) => ({
            record: null,
            message: `In the schema ${describeDifferences([difference])}.`,
            repair: null,
          }))
        },
      },
    },
  ],
})
