import createClient from 'openapi-fetch'
import { exactFetch } from './int64.ts'
import type { paths } from './petstore.ts'

export const connect = (baseUrl: string, key: string) =>
  createClient<paths, 'application/json'>({
    baseUrl,
    headers: { Authorization: `Bearer ${key}` },
    fetch: exactFetch,
  })
