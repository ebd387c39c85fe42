import { readFile } from 'node:fs/promises'
import { type ErrorCode, errorCodes } from '../../contract/error-codes.ts'
import { contentOf, type Operation } from '../../contract/operation.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { compileBody } from '../../http/request/body.ts'
import { compileQuery } from '../../http/request/parameters.ts'
import type { QueryParameters } from '../../http/request/query-string.ts'

/** What a code means and what to do about it, as Markdown, and a message of the service with it. */
type ErrorText = { about: string; message: string }
export type ErrorTexts = ReadonlyMap<ErrorCode, ErrorText>

/** Reads `docs/errors.md`, which explains every code. */
export async function readErrorTexts(): Promise<ErrorTexts> {
  const text = await readFile(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  const sections = text.split(/^### /m).slice(1)
  return new Map(sections.map((section) => readSection(section.replace(/^## [\s\S]*/m, ''))))
}

function readSection(section: string): [ErrorCode, ErrorText] {
  const [heading = '', ...lines] = section.split('\n')
  const code = heading.split('`')[1] ?? ''
  const [about = '', json = ''] = lines.join('\n').split(/^```json\n|^```$/m)
  const { message } = JSON.parse(json) as { message: string }
  if (!(code in errorCodes)) throw new Error(`docs/errors.md explains ${code}, which is no code.`)
  return [code as ErrorCode, { about, message }]
}

const staleCategory = 'Category 7 no longer matches If-Match. Fetch it and retry.'

/** Messages of operations to which that of `docs/errors.md` does not apply. */
const ownMessages: Record<string, Partial<Record<ErrorCode, string>>> = {
  createOrder: { not_found: 'There is no pet with the id 7.' },
  shipOrder: { invalid_transition: 'Order 3 is shipped; only a pending order can be shipped.' },
  importPets: {
    invalid_body: 'The file has no rows.',
  },
  updatePet: {
    invalid_transition: 'Pet 7 is sold, from where it can become available, not pending.',
  },
  updateCategory: { precondition_failed: staleCategory },
  deleteCategory: { precondition_failed: staleCategory },
  getInventory: { not_found: 'There is no pet with the id 7 in the inventory.' },
  updateInventory: {
    not_found: 'There is no pet with the id 7 in the inventory.',
    insufficient_stock: 'Open orders hold 2 of pet 7 (order 12), which is more than 1.',
    precondition_failed: 'The stock of pet 7 no longer matches If-Match. Fetch it and retry.',
  },
}

/** What the service says when this operation has this error: where it can, from the code that checks the request. */
export function messageOf(operation: Operation, code: ErrorCode, texts: ErrorTexts): string {
  const { operationId, pathParameters } = operation
  const pathParameter = pathParameters?.at(-1)
  const own = ownMessages[operationId]?.[code]
  if (own !== undefined) return own
  if (code === 'not_found' && pathParameter)
    return `There is no ${pathParameter.record} with the id 7.`
  return messageOfCheck(operation, code) ?? texts.get(code)?.message ?? ''
}

function messageOfCheck(operation: Operation, code: ErrorCode): string | undefined {
  const content = operation.body && contentOf(operation.body)
  if (content?.schema && code === 'invalid_body') {
    const check = compileBody(content)
    const [member = ''] = Object.keys((content.schema as { properties?: object }).properties ?? {})
    return messageFrom(() =>
      check(Buffer.from(JSON.stringify({ [member]: [] })), { isStrict: false }),
    )
  }
  if (code === 'invalid_parameter') {
    const parse = compileQuery(operation)
    const isList = operation.returns === 'page'
    const query = new Map([isList ? ['limit', ['101']] : ['colour', ['red']]])
    return messageFrom(() => parse(query as QueryParameters, { isStrict: true }))
  }
  return undefined
}

function messageFrom(check: () => unknown): string {
  try {
    check()
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
  throw new Error('A request that is to be refused was accepted.')
}
