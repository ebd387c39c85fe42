import SwaggerClient from 'swagger-client'

export const connect = (spec, key) => SwaggerClient({ spec, authorizations: { bearerAuth: key } })
