import createClient from 'openapi-fetch'
import type { paths } from './petstore.ts'

export const connect = (baseUrl: string, key: string) =>
  createClient<paths, 'application/json'>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
