// The command line of openapi-typescript has no option for bigint.
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
const types = await openapiTS(readFileSync('openapi.json', 'utf8'), {
  transform: ({ format }) => (format === 'int64' ? bigint : undefined),
})
writeFileSync('petstore.ts', astToString(types))
