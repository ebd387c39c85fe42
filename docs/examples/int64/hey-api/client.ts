// bigInt of the transformers converts a number that is rounded already, so digits are quoted before they are parsed.
import { createClient } from './petstore/client/index.ts'
import './int64.ts'

const int64 = /"(id|petId|categoryId)":(-?\d+)/g

export const connect = (baseUrl: string, key: string) =>
  createClient({
    baseUrl,
    auth: key,
    async fetch(...request) {
      const response = await fetch(...request)
      if (!response.body) return response
      return new Response((await response.text()).replaceAll(int64, '"$1":"$2"'), response)
    },
  })
