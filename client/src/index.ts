import { parseJson, stringifyJson } from '../../src/contract/int64-json.ts'
import { Call } from './call.ts'
import {
  PetstoreAnswerTooLargeError,
  PetstoreApiError,
  PetstoreConfigurationError,
  PetstoreConnectionError,
  PetstoreError,
  PetstoreEventsExpiredError,
  PetstoreTimeoutError,
} from './errors.ts'
import { Resources } from './generated/resources.ts'
import { List, Page } from './list.ts'
import { type PetstoreOptions, settingsOf } from './settings.ts'
import { Transport } from './transport.ts'

export type { Problem } from '../../src/contract/problem.ts'
export type { Answer } from './call.ts'
export type { FollowOptions } from './follow.ts'
export type { ErrorCode } from './generated/error-codes.ts'
export type * from './generated/records.ts'
export type { Scope } from './generated/scopes.ts'
export type { ImportOptions, ImportProgress } from './import.ts'
export type {
  ChangeOptions,
  CreateOptions,
  ExportOptions,
  Int64,
  ListOptions,
  ReadOptions,
  RequestOptions,
} from './operation.ts'
export type { Environment, PetstoreOptions } from './settings.ts'
export {
  Call,
  List,
  Page,
  PetstoreAnswerTooLargeError,
  PetstoreApiError,
  PetstoreConfigurationError,
  PetstoreConnectionError,
  PetstoreError,
  PetstoreEventsExpiredError,
  PetstoreTimeoutError,
  parseJson,
  stringifyJson,
}

/**
 * A client of the pet store service: `client.pets.create(…)`, `for await (const pet of client.pets.list())`. It can be
 * shared; it holds no connection of its own. Throws `PetstoreConfigurationError`.
 */
export class PetstoreClient extends Resources {
  constructor(options: PetstoreOptions = {}) {
    super(new Transport(settingsOf(options)))
  }
}
