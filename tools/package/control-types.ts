import * as contract from '../../src/test-bench/contract.ts'
import { commentOf, type Schema, typeOf } from '../generate/client-types.ts'

/** The declarations of what a test sends to the test bench: plain types, so that TypeBox is not needed to compile a test. */
export function controlTypes(): string {
  const { NewFault, NewTestKey, ResetRequest, ClockChange } = contract
  return Object.entries({ NewFault, NewTestKey, ResetRequest, ClockChange })
    .map(([name, schema]) => {
      const described = schema as unknown as Schema
      return `${commentOf(described.description)}export type ${name} = ${typeOf(described, true)}\n`
    })
    .join('\n')
}
