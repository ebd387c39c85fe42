import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { amount } from '../../../test/harness/extent.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { fileInForm } from './form.ts'

const contentType = 'multipart/form-data; boundary=cut'
const head =
  '--cut\r\nContent-Disposition: form-data; name="file"; filename="a;b.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'

function find(form: string | Buffer, type = contentType): Buffer | string {
  try {
    return fileInForm(type, Buffer.from(form), 'file')
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error))
    return `${error.code} ${JSON.stringify(error.problems)}`
  }
}

it('the file of a form as programs write it is found, whatever its bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const form = new FormData()
      form.append('file', new Blob([bytes]), 'sunny "7".jpg')
      const sent = new Response(form)
      const type = sent.headers.get('content-type') ?? ''

      assert.deepEqual(find(Buffer.from(await sent.arrayBuffer()), type), Buffer.from(bytes))
    }),
    { numRuns: amount({ quick: 30, full: 1_000 }) },
  )
})

it('the boundary may be quoted, and what is around and in the file may resemble it', () => {
  const file = '\r\n--cu\r\n\r\n-- cut--'
  const form = `preamble of no part\r\n${head}${file}\r\n--cut--\r\nepilogue`

  assert.equal(String(find(form)), file)
  assert.equal(String(find(form, 'Multipart/Form-Data; charset=x; Boundary="cut"')), file)
  assert.equal(String(find(`${head}\r\n--cut--`)), '')
})

const refused: [what: string, form: string, expected: RegExp, type?: string][] = [
  ['an empty form', '', /invalid_body.*\/file.*missing/],
  ['a form without a part', '--cut--\r\n', /invalid_body.*missing/],
  ['a form with two files', `${head}1\r\n${head}2\r\n--cut--`, /invalid_body.*only part/],
  ['a form of 10,000 parts', `${`${head}1\r\n`.repeat(10_000)}--cut--`, /invalid_body.*only part/],
  ['a part that never ends', `${head}${'1'.repeat(100_000)}`, /invalid_body.*does not end/],
  ['headers that never end', `--cut\r\n${'a: b\r\n'.repeat(10_000)}`, /invalid_body.*headers/],
  [
    'a part of another name',
    `${head.replace('"file"', '"photo"')}1\r\n--cut--`,
    /invalid_body.*photo/,
  ],
  ['a boundary within a line', `x${head}1\r\n--cut--`, /invalid_body.*no line/],
  ['a part without a name', '--cut\r\n\r\n1\r\n--cut--', /invalid_body.*undefined/],
  ['another boundary', `${head}1\r\n--cut--`, /invalid_body.*no line/, 'a/b; boundary=other'],
  ['no boundary', `${head}1\r\n--cut--`, /invalid_parameter.*Content-Type/, 'multipart/form-data'],
  ['a boundary of 71 characters', '', /invalid_parameter/, `a/b; boundary=${'x'.repeat(71)}`],
]
for (const [what, form, expected, type] of refused) {
  it(`refused in words: ${what}`, () => assert.match(String(find(form, type)), expected))
}

it('any bytes are a form or refused', () => {
  const pieces = fc.constantFrom('--cut', '\r\n', '--', head, 'name="file"', 'x')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => void find(parts.join(''))),
    { numRuns: amount({ quick: 100, full: 5_000 }) },
  )
})
