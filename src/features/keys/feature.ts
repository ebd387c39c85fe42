import { implement } from '../../http/implement.ts'
import { listBy } from '../verbs.ts'
import * as contract from './contract/operations.ts'
import { createKey } from './create-key.ts'
import { getKey } from './get-key.ts'
import { getOwnKey } from './get-own-key.ts'
import { keysList } from './queries.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'
import { updateKey } from './update-key.ts'

/** The API keys. `/keys/self` is before `/keys/{keyId}`, which it matches too. */
export const operations = [
  implement(contract.getOwnKeyOperation, getOwnKey),
  implement(contract.listKeysOperation, listBy(keysList)),
  implement(contract.createKeyOperation, createKey),
  implement(contract.getKeyOperation, getKey),
  implement(contract.updateKeyOperation, updateKey),
  implement(contract.revokeKeyOperation, revokeKey),
  implement(contract.rotateKeyOperation, rotateKey),
]
