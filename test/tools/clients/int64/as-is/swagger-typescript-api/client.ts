import { Api } from './petstore.ts'

export const connect = (baseUrl: string, key: string) =>
  new Api({ baseUrl, baseApiParams: { headers: { Authorization: `Bearer ${key}` } } })
