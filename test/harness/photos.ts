import { createHash } from 'node:crypto'
import { startApp, type TestApi } from './app.ts'
import { png } from './pictures.ts'

/** The entity tag of a photo that is stored as it is. */
export const tagOf = (file: Buffer) => `"${createHash('sha256').update(file).digest('hex')}"`

type Sent = { type?: string; headers?: Record<string, string> }

export function put(
  api: TestApi,
  petId: number,
  file: Buffer,
  { type = 'image/png', headers }: Sent = {},
) {
  const sent = { 'content-type': type, ...headers }
  return api.send('PUT', `/v1/pets/${petId}/photo`, { rawBody: file, headers: sent })
}

export const formHead = (name = 'file') =>
  `--cut\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\nContent-Type: text/html\r\n\r\n`

export function post(
  api: TestApi,
  petId: number,
  form: Buffer | string,
  boundary = '; boundary=cut',
) {
  const headers = { 'content-type': `multipart/form-data${boundary}` }
  return api.send('POST', `/v1/pets/${petId}/photo`, { rawBody: form, headers })
}

/** A form with this file. */
export const formOf = (file: Buffer) =>
  Buffer.concat([Buffer.from(formHead()), file, Buffer.from('\r\n--cut--\r\n')])

/** A service with a pet, and what reads the bytes of its photo. */
export async function startWithPet() {
  const app = await startApp()
  const { id } = await app.api.createPet()
  const path = `/v1/pets/${id}/photo`
  const getBytes = async () => {
    const headers = { authorization: `Bearer ${app.key}` }
    return (await app.server.inject({ url: path, headers })).rawPayload
  }
  return { ...app, id, path, getBytes }
}

/** A picture of exactly so many bytes. */
export function pictureOf(sizeBytes: number): Buffer {
  const small = png({}, [['sPLT', Buffer.alloc(0)]])
  return png({}, [['sPLT', Buffer.alloc(sizeBytes - small.length, 7)]])
}
