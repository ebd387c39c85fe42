import type { TestApp } from '../harness/app.ts'

const methods = 'GET POST PUT PATCH DELETE OPTIONS HEAD TRACE PROPFIND LOCK'.split(' ')

/** Requests of invented paths, methods, keys, ids, headers and parameters; no two are alike. */
export async function sendOddRequests({ server, key }: TestApp, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const paths = [
      `/v1/pets/${index}`,
      `/v1/${index}`,
      `/a${index}/${index}`,
      `/v1/pets?x${index}=1`,
    ]
    const invented = `pet_${index}_${'x'.repeat(40)}`
    await server.inject({
      method: methods[index % methods.length] as 'GET',
      url: paths[index % paths.length] as string,
      headers: {
        authorization: `Bearer ${index % 3 === 0 ? key : invented}`,
        'x-request-id': `id-${index}`,
        'user-agent': `agent ${index}`,
        host: `h${index}.example`,
        'idempotency-key': `k${index}`,
      },
    })
  }
}
