import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'

writeFileSync('petstore.ts', astToString(await openapiTS(readFileSync('openapi.json', 'utf8'))))
