import * as contract from '../../src/test-bench/contract.ts'
import { commentOf, type Schema, typeOf } from '../generate/client-types.ts'

/** The declarations of what a test sends to the test bench: plain types, so that TypeBox is not needed to compile a test. */
export function controlTypes(): string {
  const { NewFault, NewTestKey, ResetRequest, ClockChange, Misdelivery } = contract
  const types = Object.entries({
    NewFault,
    NewTestKey,
    ResetRequest,
    ClockChange,
    Misdelivery,
  }).map(([name, schema]) => {
    const described = schema as unknown as Schema
    return `${commentOf(described.description)}export type ${name} = ${typeOf(described, true)}\n`
  })
  return ['type Int64 = number | bigint\n', ...types].join('\n')
}
