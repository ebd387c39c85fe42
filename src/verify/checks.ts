import type { Check } from './check.ts'
import { filesCheck } from './files.ts'
import { idempotencyKeysCheck } from './idempotency-keys.ts'
import { idsCheck } from './ids.ts'
import { nameKeysCheck } from './name-keys.ts'
import { openOrdersCheck } from './open-orders.ts'
import { ordersCheck } from './orders.ts'
import { stockCheck } from './stock.ts'
import { derivedColumnsCheck } from './values/derived-columns.ts'
import { environmentCheck } from './values/environment.ts'
import { keysCheck } from './values/keys.ts'
import { textsCheck } from './values/texts.ts'

/** In the order in which they are made: what all others rely on first. */
export const checks: readonly Check[] = [
  filesCheck,
  stockCheck,
  openOrdersCheck,
  ordersCheck,
  idsCheck,
  idempotencyKeysCheck,
  nameKeysCheck,
  derivedColumnsCheck,
  textsCheck,
  keysCheck,
  environmentCheck,
]
