import SwaggerClient from 'swagger-client'
import { exact } from './int64.ts'

export async function connect(spec, key) {
  const client = await SwaggerClient({ spec, authorizations: { bearerAuth: key } })
  // Not an option above: where a url is given, it would change the document too.
  client.responseInterceptor = (response) => {
    response.body = response.text && JSON.parse(response.text, exact)
    return response
  }
  return client
}
