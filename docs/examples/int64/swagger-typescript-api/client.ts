import { exactFetch } from './int64.ts'
import { Api } from './petstore.ts'

export const connect = (baseUrl: string, key: string) =>
  new Api({
    baseUrl,
    customFetch: exactFetch,
    baseApiParams: { headers: { Authorization: `Bearer ${key}` } },
  })
