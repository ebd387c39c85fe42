import { createClient } from './petstore/client/index.ts'

export const connect = (baseUrl: string, key: string) => createClient({ baseUrl, auth: key })
