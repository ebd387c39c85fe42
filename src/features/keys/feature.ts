import { implement } from '../../http/implement.ts'
import {
  createKeyOperation,
  getKeyOperation,
  getOwnKeyOperation,
  listKeysOperation,
  revokeKeyOperation,
  rotateKeyOperation,
  updateKeyOperation,
} from './contract/operations.ts'
import { createKey } from './create-key.ts'
import { getKey } from './get-key.ts'
import { getOwnKey } from './get-own-key.ts'
import { listKeys } from './list-keys.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'
import { updateKey } from './update-key.ts'

/** The API keys. `/keys/self` is before `/keys/{keyId}`, which it matches too. */
export const operations = [
  implement(getOwnKeyOperation, getOwnKey),
  implement(listKeysOperation, listKeys),
  implement(createKeyOperation, createKey),
  implement(getKeyOperation, getKey),
  implement(updateKeyOperation, updateKey),
  implement(revokeKeyOperation, revokeKey),
  implement(rotateKeyOperation, rotateKey),
]
