// Made from the contract by tools/generate.ts.

import type { Int64 } from '../operation.ts'

/** An Arazzo document. */
export type ArazzoDocument = {
  /** The version of Arazzo. */
  arazzo: string
  [member: string]: unknown
}

/** A category of pets. The `categoryId` of a pet need not be that of an existing category. */
export type Category = {
  /** Unique identifier assigned by the service. */
  id: Int64
  /** The name of the category. No two look alike: case, repeated spaces, invisible characters and compatibility forms (NFKC) do not count. */
  name: string
  /** Which pets belong to the category. */
  description?: string
}

/** Fields to change; omitted fields keep their value. Unknown members are ignored. */
export type CategoryChange = {
  /** The name of the category. No two look alike: case, repeated spaces, invisible characters and compatibility forms (NFKC) do not count. */
  name?: string | undefined
  /** Which pets belong to the category; `null` to remove it. */
  description?: string | null | undefined
}

/** A category was added. Its readers have the scope `pets:read`. */
export type CategoryCreatedEvent = {
  id: EventId
  type: 'category.created'
  createdAt: EventInstant
  data: Category
  actor: EventActor
  requestId?: EventRequestId
}

/** A category was deleted. Its readers have the scope `pets:read`. */
export type CategoryDeletedEvent = {
  id: EventId
  type: 'category.deleted'
  createdAt: EventInstant
  data: Category
  actor: EventActor
  requestId?: EventRequestId
}

/** A category was changed. Its readers have the scope `pets:read`. */
export type CategoryUpdatedEvent = {
  id: EventId
  type: 'category.updated'
  createdAt: EventInstant
  data: Category
  previous?: PreviousCategory
  actor: EventActor
  requestId?: EventRequestId
}

export type Currency = 'AED' | 'AFN' | 'ALL' | 'AMD' | 'AOA' | 'ARS' | 'AUD' | 'AWG' | 'AZN' | 'BAM' | 'BBD' | 'BDT' | 'BHD' | 'BIF' | 'BMD' | 'BND' | 'BOB' | 'BOV' | 'BRL' | 'BSD' | 'BTN' | 'BWP' | 'BYN' | 'BZD' | 'CAD' | 'CDF' | 'CHE' | 'CHF' | 'CHW' | 'CLF' | 'CLP' | 'CNY' | 'COP' | 'COU' | 'CRC' | 'CUP' | 'CVE' | 'CZK' | 'DJF' | 'DKK' | 'DOP' | 'DZD' | 'EGP' | 'ERN' | 'ETB' | 'EUR' | 'FJD' | 'FKP' | 'GBP' | 'GEL' | 'GHS' | 'GIP' | 'GMD' | 'GNF' | 'GTQ' | 'GYD' | 'HKD' | 'HNL' | 'HTG' | 'HUF' | 'IDR' | 'ILS' | 'INR' | 'IQD' | 'IRR' | 'ISK' | 'JMD' | 'JOD' | 'JPY' | 'KES' | 'KGS' | 'KHR' | 'KMF' | 'KPW' | 'KRW' | 'KWD' | 'KYD' | 'KZT' | 'LAK' | 'LBP' | 'LKR' | 'LRD' | 'LSL' | 'LYD' | 'MAD' | 'MDL' | 'MGA' | 'MKD' | 'MMK' | 'MNT' | 'MOP' | 'MRU' | 'MUR' | 'MVR' | 'MWK' | 'MXN' | 'MXV' | 'MYR' | 'MZN' | 'NAD' | 'NGN' | 'NIO' | 'NOK' | 'NPR' | 'NZD' | 'OMR' | 'PAB' | 'PEN' | 'PGK' | 'PHP' | 'PKR' | 'PLN' | 'PYG' | 'QAR' | 'RON' | 'RSD' | 'RUB' | 'RWF' | 'SAR' | 'SBD' | 'SCR' | 'SDG' | 'SEK' | 'SGD' | 'SHP' | 'SLE' | 'SOS' | 'SRD' | 'SSP' | 'STN' | 'SVC' | 'SYP' | 'SZL' | 'THB' | 'TJS' | 'TMT' | 'TND' | 'TOP' | 'TRY' | 'TTD' | 'TWD' | 'TZS' | 'UAH' | 'UGX' | 'USD' | 'USN' | 'UYI' | 'UYU' | 'UYW' | 'UZS' | 'VED' | 'VES' | 'VND' | 'VUV' | 'WST' | 'XAD' | 'XAF' | 'XCD' | 'XCG' | 'XOF' | 'XPF' | 'YER' | 'ZAR' | 'ZMW' | 'ZWG'

/** An event for a webhook, and what became of it. */
export type Delivery = {
  /** Unique identifier assigned by the service. */
  id: Int64
  /** The identifier of the webhook. */
  webhookId: Int64
  /** The identifier of the event, the `webhook-id` of each attempt. */
  eventId: Int64
  /** The type of the event. */
  eventType: string
  /** The state of a delivery: `pending` until an attempt succeeds; `failed` after the last attempt, or where its event was deleted before one succeeded. */
  status: DeliveryStatus
  /** When the service found the event to be sent. */
  createdAt: string
  /** When the next attempt is due; absent where none follows. */
  nextAttemptAt?: string
  /** The last attempts, in order, at most 12. */
  attempts: DeliveryAttempt[]
}

/** One request of a delivery. Any status from 200 to 299 is a success. */
export type DeliveryAttempt = {
  /** When the request was sent. */
  attemptedAt: string
  /** How long it took, in milliseconds. */
  durationMs: number
  /** The status of the response; absent where none came. */
  responseStatus?: number
  /** The first kilobyte of the response, as text. */
  responseBody?: string
  /** Why no response came. */
  error?: string
}

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed'

/** The details of a pet were deleted. Its readers have the scope `pets:read`. */
export type DetailsDeletedEvent = {
  id: EventId
  type: 'details.deleted'
  createdAt: EventInstant
  data: PetDetails
  actor: EventActor
  requestId?: EventRequestId
}

/** The details of a pet were stored. Its readers have the scope `pets:read`. */
export type DetailsUpdatedEvent = {
  id: EventId
  type: 'details.updated'
  createdAt: EventInstant
  data: PetDetails
  previous?: PreviousPetDetails
  actor: EventActor
  requestId?: EventRequestId
}

/** A change of one record. `data` is the whole record after the change, or as it was last if it is deleted; `previous` has the members that changed, as they were. Later versions have more types: ignore those that you do not know. */
export type Event = PetCreatedEvent | PetUpdatedEvent | PetDeletedEvent | DetailsUpdatedEvent | DetailsDeletedEvent | CategoryCreatedEvent | CategoryUpdatedEvent | CategoryDeletedEvent | PhotoUpdatedEvent | PhotoDeletedEvent | OrderPlacedEvent | OrderShippedEvent | OrderDeliveredEvent | OrderCancelledEvent | OrderExpiredEvent | InventoryUpdatedEvent | KeyCreatedEvent | KeyUpdatedEvent | KeyRotatedEvent | KeyRevokedEvent | KeyDeletedEvent | WebhookCreatedEvent | WebhookUpdatedEvent | WebhookDeletedEvent | WebhookRotatedEvent | WebhookDisabledEvent | WebhookTestedEvent

/** Who made a change. */
export type EventActor = {
  /** Who made the change: an API key, a scheduled job, or a command. */
  type: 'key' | 'job' | 'command'
  /** The name of the key, the job or the command at that time. */
  name: string
  /** The identifier of the key. */
  keyId?: Int64
}

/** The position in the log. Ids ascend in the order of the events, with gaps. Once an id is visible, no lower one appears later. */
export type EventId = Int64

/** When the change was requested. */
export type EventInstant = string

/** The `X-Request-Id` of the request that made the change. */
export type EventRequestId = string

/** What changed. A change that follows from another one is an event of its own. */
export type EventType = 'pet.created' | 'pet.updated' | 'pet.deleted' | 'details.updated' | 'details.deleted' | 'category.created' | 'category.updated' | 'category.deleted' | 'photo.updated' | 'photo.deleted' | 'order.placed' | 'order.shipped' | 'order.delivered' | 'order.cancelled' | 'order.expired' | 'inventory.updated' | 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'key.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.rotated' | 'webhook.disabled' | 'webhook.tested'

/** A column that is no member of a pet. */
export type IgnoredColumn = {
  /** The column, as the file names it; a long name is shortened. */
  column: string
  /** The member that it may be meant for. */
  nearest?: string
}

/** What an import has done; with `dryRun`, what it would do. */
export type ImportReport = {
  /** How many rows the file has. */
  rows: number
  /** How many rows added a pet. */
  created: number
  /** How many rows changed a pet, or matched it already. */
  updated: number
  /** How many rows were refused. */
  refused: number
  /** The names of the categories that were added. */
  newCategories: string[]
  /** When the rows were stored; absent of a dry run, unless its `Idempotency-Key` is that of an import. */
  storedAt?: string
  /** The columns that were ignored: the first 100. */
  ignored: IgnoredColumn[]
  /** What is wrong with the refused rows, in the order of the file: the first 100. */
  problems: RowProblem[]
}

/** The new stock of a pet. */
export type InventoryChange = {
  /** How many are in stock, including those that open orders hold. */
  quantity: number
}

/** The stock of a pet that has a status. */
export type InventoryItem = {
  /** The identifier of the pet. */
  petId: Int64
  /** How many are in stock, including those that open orders hold. */
  quantity: number
  /** Availability of a pet. */
  status: PetStatus
}

/** The stock of a pet changed. Its readers have the scope `inventory:read`. */
export type InventoryUpdatedEvent = {
  id: EventId
  type: 'inventory.updated'
  createdAt: EventInstant
  data: InventoryItem
  previous?: PreviousInventoryItem
  actor: EventActor
  requestId?: EventRequestId
}

/** A key that was just issued. */
export type IssuedKey = {
  /** Unique identifier assigned by the service; a rotation keeps it. */
  id: Int64
  /** What the key is for. */
  name: string
  /** A part of the key, enough to recognise it. */
  hint: string
  /** What the key may do: scopes such as `pets:read`, or `default` for every scope of the serving version but those that end in `:manage`. */
  scopes: string[]
  /** When the key was created. */
  createdAt: string
  /** The key that created it; absent for the command line and the first start. */
  createdBy?: Int64
  /** How many requests per second the key may send to each process of the service; that of the settings when absent. */
  rateLimit?: number
  /** When the key expires; absent where it does not. */
  expiresAt?: string
  /** When the key was last used, up to a minute late; absent before. */
  lastUsedAt?: string
  /** When the key was revoked. */
  revokedAt?: string
  /** A part of the key that the last rotation replaced. */
  previousHint?: string
  /** Until when the replaced key is accepted. */
  previousEndsAt?: string
  /** The key. It is in this response alone. */
  key: string
}

/** A webhook with its new secret. */
export type IssuedWebhook = {
  /** Unique identifier assigned by the service. */
  id: Int64
  /** Where events are sent: an `https` address without user name and password, none of whose addresses is private. The settings of the store may allow others. */
  url: string
  /** The types of events that are sent; absent, all. An event is sent where the key that made the webhook may read its record. */
  types?: string[]
  /** What the webhook is for. */
  description?: string
  /** Whether events are sent: `enabled`; `paused` by a request; or `disabled` by the service. */
  status: 'enabled' | 'paused' | 'disabled'
  /** Why the service disabled it: the receiver responded 410 (`gone`), or no attempt succeeded for five days (`failing`). */
  disabledReason?: 'gone' | 'failing'
  /** Why nothing is sent whatever the `status`: the store is a copy or was recovered, until `petstore webhooks resume` on its machine (`copied`); or the key that created the webhook is no longer accepted (`key_ended`). Events omit it. */
  blockedReason?: 'copied' | 'key_ended'
  /** The first failed attempt since the last that succeeded. Events omit it. */
  failingSince?: string
  /** Events after this one were not sent, during a pause, while the webhook was disabled, or since the store is a copy: `replayWebhook` sends them. Absent where none was missed. Events omit it. */
  missedAfter?: Int64
  /** When the webhook was created. */
  createdAt: string
  /** The key that created it, whose scopes decide which events are sent. */
  createdBy?: Int64
  /** Until when the replaced secret signs too. */
  previousSecretEndsAt?: string
  /** The secret that signs deliveries, as Standard Webhooks 1.0 writes it. It is in this response alone. */
  secret: string
}

/** What is known of a key; the key itself is not stored. */
export type Key = {
  /** Unique identifier assigned by the service; a rotation keeps it. */
  id: Int64
  /** What the key is for. */
  name: string
  /** A part of the key, enough to recognise it. */
  hint: string
  /** What the key may do: scopes such as `pets:read`, or `default` for every scope of the serving version but those that end in `:manage`. */
  scopes: string[]
  /** When the key was created. */
  createdAt: string
  /** The key that created it; absent for the command line and the first start. */
  createdBy?: Int64
  /** How many requests per second the key may send to each process of the service; that of the settings when absent. */
  rateLimit?: number
  /** When the key expires; absent where it does not. */
  expiresAt?: string
  /** When the key was last used, up to a minute late; absent before. */
  lastUsedAt?: string
  /** When the key was revoked. */
  revokedAt?: string
  /** A part of the key that the last rotation replaced. */
  previousHint?: string
  /** Until when the replaced key is accepted. */
  previousEndsAt?: string
}

/** Fields to change; omitted fields keep their value. Unknown members are ignored. */
export type KeyChange = {
  /** What the key is for. */
  name?: string | undefined
  /** What the key may do: scopes such as `pets:read`, or `default` for every scope of the serving version but those that end in `:manage`. */
  scopes?: readonly string[] | undefined
  /** When the key expires; `null` for never. */
  expiresAt?: string | null | undefined
  /** How many requests per second the key may send to each process of the service; `null` for that of the settings. */
  rateLimit?: number | null | undefined
}

/** An API key was created. Its readers have the scope `keys:manage`. */
export type KeyCreatedEvent = {
  id: EventId
  type: 'key.created'
  createdAt: EventInstant
  data: Key
  actor: EventActor
  requestId?: EventRequestId
}

/** An API key was deleted, a year after its end. Its readers have the scope `keys:manage`. */
export type KeyDeletedEvent = {
  id: EventId
  type: 'key.deleted'
  createdAt: EventInstant
  data: Key
  actor: EventActor
  requestId?: EventRequestId
}

/** An API key was revoked. Its readers have the scope `keys:manage`. */
export type KeyRevokedEvent = {
  id: EventId
  type: 'key.revoked'
  createdAt: EventInstant
  data: Key
  previous?: PreviousKey
  actor: EventActor
  requestId?: EventRequestId
}

/** An API key was replaced by a new one of the same id. Its readers have the scope `keys:manage`. */
export type KeyRotatedEvent = {
  id: EventId
  type: 'key.rotated'
  createdAt: EventInstant
  data: Key
  previous?: PreviousKey
  actor: EventActor
  requestId?: EventRequestId
}

/** An API key was changed. Its readers have the scope `keys:manage`. */
export type KeyUpdatedEvent = {
  id: EventId
  type: 'key.updated'
  createdAt: EventInstant
  data: Key
  previous?: PreviousKey
  actor: EventActor
  requestId?: EventRequestId
}

/** The process runs. */
export type Liveness = {
  /** Always `live`. */
  status: 'live'
}

/** A category to add. Unknown members are ignored. */
export type NewCategory = {
  /** The name of the category. No two look alike: case, repeated spaces, invisible characters and compatibility forms (NFKC) do not count. */
  name: string
  /** Which pets belong to the category. */
  description?: string | undefined
}

/** A key to add. Unknown members are ignored. */
export type NewKey = {
  /** What the key is for. */
  name: string
  /** What the key may do: scopes such as `pets:read`, or `default` for every scope of the serving version but those that end in `:manage`. A new key without them has `default`. */
  scopes?: readonly string[] | undefined
  /** When the key expires; absent where it does not. */
  expiresAt?: string | undefined
  /** How many requests per second the key may send to each process of the service; that of the settings when absent. */
  rateLimit?: number | undefined
}

/** An order to add. Unknown members are ignored. */
export type NewOrder = {
  /** The identifier of the pet. */
  petId: Int64
  /** How many to order; 1 when absent. */
  quantity?: number | undefined
  /** The client's own reference for the order. */
  reference?: string | undefined
}

/** A pet to add. Unknown members are ignored. */
export type NewPet = {
  /** The pet's name: 1 to 1,000 code points, at least one of them not white space, no control characters, no lone surrogates. Stored and returned unchanged. */
  name: string
  /** Identifier of the category the pet belongs to. */
  categoryId: Int64
  /** Availability of a pet. */
  status?: PetStatus | undefined
}

/** The details of a pet, at least one of them. Unknown members are ignored. */
export type NewPetDetails = {
  /** The pet in words. */
  description?: string | undefined
  price?: Price | undefined
  /** When the pet was born: a day after today at most. */
  bornOn?: string | undefined
  /** The sex of the pet. */
  sex?: 'female' | 'male' | undefined
  /** Words by which the pet is found. */
  tags?: readonly string[] | undefined
}

/** Which events to send again. Unknown members are ignored. */
export type NewReplay = {
  /** The last event that is not sent again: a position in the log of events. */
  after: Int64
}

/** How to rotate a key. Unknown members are ignored. */
export type NewRotation = {
  /** How long the old key is accepted beside its successor; a day when absent. */
  overlapSeconds?: number | undefined
}

/** A webhook to add. Unknown members are ignored. */
export type NewWebhook = {
  /** Where events are sent: an `https` address without user name and password, none of whose addresses is private. The settings of the store may allow others. */
  url: string
  /** The types of events that are sent; absent, all. An event is sent where the key that made the webhook may read its record. */
  types?: readonly string[] | undefined
  /** What the webhook is for. */
  description?: string | undefined
}

/** An OpenAPI document. */
export type OpenApiDocument = {
  /** The version of OpenAPI. */
  openapi: string
  [member: string]: unknown
}

/** An order of the store. */
export type Order = {
  /** Unique identifier assigned by the service. */
  id: Int64
  /** The identifier of the pet. */
  petId: Int64
  /** How many are ordered. */
  quantity: number
  /** The state of an order: `pending`, then `shipped`, then `delivered`; or `cancelled`, or `expired`. */
  status: OrderStatus
  /** True once the order is delivered. */
  complete: boolean
  /** When the order was placed. */
  createdAt: string
  /** When the order was shipped. */
  shipDate?: string
  /** When the order expires if it is still pending; absent if holds do not expire. */
  expiresAt?: string
  /** The client's own reference for the order. */
  reference?: string
  /** What each cost when the order was placed; absent where the pet had no price. */
  unitPrice?: Price
}

/** An order was cancelled. Its readers have the scope `orders:read`. */
export type OrderCancelledEvent = {
  id: EventId
  type: 'order.cancelled'
  createdAt: EventInstant
  data: Order
  previous?: PreviousOrder
  actor: EventActor
  requestId?: EventRequestId
}

/** An order was delivered. Its readers have the scope `orders:read`. */
export type OrderDeliveredEvent = {
  id: EventId
  type: 'order.delivered'
  createdAt: EventInstant
  data: Order
  previous?: PreviousOrder
  actor: EventActor
  requestId?: EventRequestId
}

/** An order expired before it was shipped. Its readers have the scope `orders:read`. */
export type OrderExpiredEvent = {
  id: EventId
  type: 'order.expired'
  createdAt: EventInstant
  data: Order
  previous?: PreviousOrder
  actor: EventActor
  requestId?: EventRequestId
}

/** An order was placed. Its readers have the scope `orders:read`. */
export type OrderPlacedEvent = {
  id: EventId
  type: 'order.placed'
  createdAt: EventInstant
  data: Order
  actor: EventActor
  requestId?: EventRequestId
}

/** An order was shipped. Its readers have the scope `orders:read`. */
export type OrderShippedEvent = {
  id: EventId
  type: 'order.shipped'
  createdAt: EventInstant
  data: Order
  previous?: PreviousOrder
  actor: EventActor
  requestId?: EventRequestId
}

export type OrderStatus = 'pending' | 'shipped' | 'delivered' | 'cancelled' | 'expired'

/** The key of the request. */
export type OwnKey = {
  /** Unique identifier assigned by the service; a rotation keeps it. */
  id: Int64
  /** What the key is for. */
  name: string
  /** Every scope of the key. */
  scopes: string[]
  /** The environment of the key. */
  environment: 'production' | 'staging'
  /** When the key expires, or ends because it was rotated; absent where it does not. */
  expiresAt?: string
}

/** A pet of the catalogue. Its `status`, if it has one, says whether it can be ordered: a pet that was made `available` becomes `pending` while open orders hold all of it, and `sold` once none is left. */
export type Pet = {
  /** Unique identifier assigned by the service on creation; never reused. */
  id: Int64
  /** The pet's name: 1 to 1,000 code points, at least one of them not white space, no control characters, no lone surrogates. Stored and returned unchanged. */
  name: string
  /** Identifier of the category the pet belongs to. */
  categoryId: Int64
  /** Availability of a pet. */
  status?: PetStatus
}

/** Changes of several pets. Unknown members are ignored. */
export type PetBatch = {
  /** The changes, each of another pet. */
  changes: readonly PetBatchChange[]
}

/** A change of one pet: either `update`, or `delete`. */
export type PetBatchChange = {
  /** The identifier of the pet. */
  id: Int64
  /** An entity tag of the pet, or `*`: the change is made only if it is current, as with the header `If-Match`. */
  ifMatch?: string
  update?: PetChange
  /** Whether the pet is deleted. */
  delete?: true
}

/** Why a change was refused. */
export type PetBatchError = {
  /** One of the error codes of the service. */
  code: string
  /** What is wrong, for people. */
  message: string
}

/** What became of one change. */
export type PetBatchResult = {
  /** The identifier of the pet. */
  id: Int64
  /** The status that a request for this change alone would get: 200 after `update`, 204 after `delete`, else the status of its error. */
  status: number
  pet?: Pet
  /** The entity tag of the pet, for a later `ifMatch`. */
  etag?: string
  error?: PetBatchError
}

/** What became of the changes. */
export type PetBatchResults = {
  /** A result for each change, in the same order. */
  results: PetBatchResult[]
}

/** Fields to change; omitted fields keep their value. Unknown members are ignored. */
export type PetChange = {
  /** The pet's name: 1 to 1,000 code points, at least one of them not white space, no control characters, no lone surrogates. Stored and returned unchanged. */
  name?: string | undefined
  /** Identifier of the category the pet belongs to. */
  categoryId?: Int64 | undefined
  /** Availability of a pet. */
  status?: PetStatus | undefined
}

/** A pet was added. Its readers have the scope `pets:read`. */
export type PetCreatedEvent = {
  id: EventId
  type: 'pet.created'
  createdAt: EventInstant
  data: Pet
  actor: EventActor
  requestId?: EventRequestId
}

/** A pet was deleted. Its readers have the scope `pets:read`. */
export type PetDeletedEvent = {
  id: EventId
  type: 'pet.deleted'
  createdAt: EventInstant
  data: Pet
  actor: EventActor
  requestId?: EventRequestId
}

/** What a store tells about a pet besides the members of the pet itself. */
export type PetDetails = {
  /** The identifier of the pet. */
  petId: Int64
  /** The pet in words. */
  description?: string
  price?: Price
  /** When the pet was born: a day after today at most. */
  bornOn?: string
  /** The sex of the pet. */
  sex?: 'female' | 'male'
  /** Words by which the pet is found. */
  tags?: string[]
}

export type PetStatus = 'available' | 'pending' | 'sold'

/** A pet was changed, by a client or by an order. Its readers have the scope `pets:read`. */
export type PetUpdatedEvent = {
  id: EventId
  type: 'pet.updated'
  createdAt: EventInstant
  data: Pet
  previous?: PreviousPet
  actor: EventActor
  requestId?: EventRequestId
}

/** What is known of the photo of a pet; `getPhoto` returns the photo itself. */
export type Photo = {
  /** The identifier of the pet. */
  petId: Int64
  /** The media type, which the first bytes decide. */
  type: 'image/jpeg' | 'image/png' | 'image/webp'
  /** The size of the stored file. */
  sizeBytes: number
  /** The width in points, as the file has it: `orientation` may turn it. */
  width: number
  /** The height in points. */
  height: number
  /** The SHA-256 of the stored file in hexadecimal. In double quotes it is the entity tag of the photo. */
  digest: string
  /** When the photo was stored. */
  updatedAt: string
}

/** The photo of a pet was deleted. Its readers have the scope `pets:read`. */
export type PhotoDeletedEvent = {
  id: EventId
  type: 'photo.deleted'
  createdAt: EventInstant
  data: Photo
  actor: EventActor
  requestId?: EventRequestId
}

/** The photo of a pet was stored. Its readers have the scope `pets:read`. */
export type PhotoUpdatedEvent = {
  id: EventId
  type: 'photo.updated'
  createdAt: EventInstant
  data: Photo
  previous?: PreviousPhoto
  actor: EventActor
  requestId?: EventRequestId
}

/** The members that changed, as they were; `null` for one that was absent. */
export type PreviousCategory = {
  /** Unique identifier assigned by the service. */
  id?: Int64
  /** The name of the category. No two look alike: case, repeated spaces, invisible characters and compatibility forms (NFKC) do not count. */
  name?: string
  /** Which pets belong to the category. */
  description?: string | null
}

/** The members that changed, as they were; `null` for one that was absent. */
export type PreviousInventoryItem = {
  /** The identifier of the pet. */
  petId?: Int64
  /** How many are in stock, including those that open orders hold. */
  quantity?: number
  /** Availability of a pet. */
  status?: PetStatus
}

/** The members that changed, as they were; `null` for one that was absent. */
export type PreviousKey = {
  /** Unique identifier assigned by the service; a rotation keeps it. */
  id?: Int64
  /** What the key is for. */
  name?: string
  /** A part of the key, enough to recognise it. */
  hint?: string
  /** What the key may do: scopes such as `pets:read`, or `default` for every scope of the serving version but those that end in `:manage`. */
  scopes?: string[]
  /** When the key was created. */
  createdAt?: string
  /** The key that created it; absent for the command line and the first start. */
  createdBy?: Int64 | null
  /** How many requests per second the key may send to each process of the service; that of the settings when absent. */
  rateLimit?: number | null
  /** When the key expires; absent where it does not. */
  expiresAt?: string | null
  /** When the key was last used, up to a minute late; absent before. */
  lastUsedAt?: string | null
  /** When the key was revoked. */
  revokedAt?: string | null
  /** A part of the key that the last rotation replaced. */
  previousHint?: string | null
  /** Until when the replaced key is accepted. */
  previousEndsAt?: string | null
}

/** The members that changed, as they were; `null` for one that was absent. */
export type PreviousOrder = {
  /** Unique identifier assigned by the service. */
  id?: Int64
  /** The identifier of the pet. */
  petId?: Int64
  /** How many are ordered. */
  quantity?: number
  /** The state of an order: `pending`, then `shipped`, then `delivered`; or `cancelled`, or `expired`. */
  status?: OrderStatus
  /** True once the order is delivered. */
  complete?: boolean
  /** When the order was placed. */
  createdAt?: string
  /** When the order was shipped. */
  shipDate?: string | null
  /** When the order expires if it is still pending; absent if holds do not expire. */
  expiresAt?: string | null
  /** The client's own reference for the order. */
  reference?: string | null
  /** What each cost when the order was placed; absent where the pet had no price. */
  unitPrice?: Price | null
}

/** The members that changed, as they were; `null` for one that was absent. */
export type PreviousPet = {
  /** Unique identifier assigned by the service on creation; never reused. */
  id?: Int64
  /** The pet's name: 1 to 1,000 code points, at least one of them not white space, no control characters, no lone surrogates. Stored and returned unchanged. */
  name?: string
  /** Identifier of the category the pet belongs to. */
  categoryId?: Int64
  /** Availability of a pet. */
  status?: PetStatus | null
}

/** The members that changed, as they were; `null` for one that was absent. */
export type PreviousPetDetails = {
  /** The identifier of the pet. */
  petId?: Int64
  /** The pet in words. */
  description?: string | null
  price?: Price | null
  /** When the pet was born: a day after today at most. */
  bornOn?: string | null
  /** The sex of the pet. */
  sex?: 'female' | 'male' | null
  /** Words by which the pet is found. */
  tags?: string[] | null
}

/** The members that changed, as they were; `null` for one that was absent. */
export type PreviousPhoto = {
  /** The identifier of the pet. */
  petId?: Int64
  /** The media type, which the first bytes decide. */
  type?: 'image/jpeg' | 'image/png' | 'image/webp'
  /** The size of the stored file. */
  sizeBytes?: number
  /** The width in points, as the file has it: `orientation` may turn it. */
  width?: number
  /** The height in points. */
  height?: number
  /** The SHA-256 of the stored file in hexadecimal. In double quotes it is the entity tag of the photo. */
  digest?: string
  /** When the photo was stored. */
  updatedAt?: string
}

/** The members that changed, as they were; `null` for one that was absent. */
export type PreviousWebhook = {
  /** Unique identifier assigned by the service. */
  id?: Int64
  /** Where events are sent: an `https` address without user name and password, none of whose addresses is private. The settings of the store may allow others. */
  url?: string
  /** The types of events that are sent; absent, all. An event is sent where the key that made the webhook may read its record. */
  types?: string[] | null
  /** What the webhook is for. */
  description?: string | null
  /** Whether events are sent: `enabled`; `paused` by a request; or `disabled` by the service. */
  status?: 'enabled' | 'paused' | 'disabled'
  /** Why the service disabled it: the receiver responded 410 (`gone`), or no attempt succeeded for five days (`failing`). */
  disabledReason?: 'gone' | 'failing' | null
  /** Why nothing is sent whatever the `status`: the store is a copy or was recovered, until `petstore webhooks resume` on its machine (`copied`); or the key that created the webhook is no longer accepted (`key_ended`). Events omit it. */
  blockedReason?: 'copied' | 'key_ended' | null
  /** The first failed attempt since the last that succeeded. Events omit it. */
  failingSince?: string | null
  /** Events after this one were not sent, during a pause, while the webhook was disabled, or since the store is a copy: `replayWebhook` sends them. Absent where none was missed. Events omit it. */
  missedAfter?: Int64 | null
  /** When the webhook was created. */
  createdAt?: string
  /** The key that created it, whose scopes decide which events are sent. */
  createdBy?: Int64 | null
  /** Until when the replaced secret signs too. */
  previousSecretEndsAt?: string | null
}

/** What one costs. */
export type Price = {
  /** A decimal with exactly as many digits behind the point as ISO 4217 gives the currency: `249.00` of EUR, `24900` of JPY, `24.900` of KWD. */
  amount: string
  /** A currency of ISO 4217. */
  currency: Currency
}

/** The service takes requests. */
export type Readiness = {
  /** Always `ready`. */
  status: 'ready'
  /** The primary of PostgreSQL and its standbys. Absent with SQLite. */
  replication?: {
  /** The host that takes writes, as the address of the database lists it. */
  primary: string
  /** Standbys that are connected. */
  standbys: Int64
  /** Of them, those that commits wait for. Absent where the role may not see it. */
  synchronousStandbys?: Int64
  /** How much of the log the last standby does not yet have. Absent where the role may not see it. */
  behindBytes?: Int64
  /** What a failover would lose, or what commits wait for. Absent where all is well. */
  problem?: string
}
}

/** Why a row is refused. */
export type RowProblem = {
  /** The line of the file on which the row begins. */
  line: number
  /** The column, as the file names it; a long name is shortened. */
  column?: string
  /** The error code that a request for this row alone would get. */
  code: string
  /** What is wrong there. */
  detail: string
}

/** A webhook, without its secret. */
export type Webhook = {
  /** Unique identifier assigned by the service. */
  id: Int64
  /** Where events are sent: an `https` address without user name and password, none of whose addresses is private. The settings of the store may allow others. */
  url: string
  /** The types of events that are sent; absent, all. An event is sent where the key that made the webhook may read its record. */
  types?: string[]
  /** What the webhook is for. */
  description?: string
  /** Whether events are sent: `enabled`; `paused` by a request; or `disabled` by the service. */
  status: 'enabled' | 'paused' | 'disabled'
  /** Why the service disabled it: the receiver responded 410 (`gone`), or no attempt succeeded for five days (`failing`). */
  disabledReason?: 'gone' | 'failing'
  /** Why nothing is sent whatever the `status`: the store is a copy or was recovered, until `petstore webhooks resume` on its machine (`copied`); or the key that created the webhook is no longer accepted (`key_ended`). Events omit it. */
  blockedReason?: 'copied' | 'key_ended'
  /** The first failed attempt since the last that succeeded. Events omit it. */
  failingSince?: string
  /** Events after this one were not sent, during a pause, while the webhook was disabled, or since the store is a copy: `replayWebhook` sends them. Absent where none was missed. Events omit it. */
  missedAfter?: Int64
  /** When the webhook was created. */
  createdAt: string
  /** The key that created it, whose scopes decide which events are sent. */
  createdBy?: Int64
  /** Until when the replaced secret signs too. */
  previousSecretEndsAt?: string
}

/** Fields to change; omitted fields keep their value. Unknown members are ignored. */
export type WebhookChange = {
  /** Where events are sent: an `https` address without user name and password, none of whose addresses is private. The settings of the store may allow others. */
  url?: string | undefined
  /** The types of events that are sent; `null` for all. */
  types?: readonly string[] | null | undefined
  /** What the webhook is for; `null` to remove it. */
  description?: string | null | undefined
  /** Whether events are sent. What happens during a pause is not sent: `missedAfter` says from where to replay it. */
  status?: 'enabled' | 'paused' | undefined
}

/** A webhook was added. Its readers have the scope `webhooks:manage`. */
export type WebhookCreatedEvent = {
  id: EventId
  type: 'webhook.created'
  createdAt: EventInstant
  data: Webhook
  actor: EventActor
  requestId?: EventRequestId
}

/** A webhook was deleted. Its readers have the scope `webhooks:manage`. */
export type WebhookDeletedEvent = {
  id: EventId
  type: 'webhook.deleted'
  createdAt: EventInstant
  data: Webhook
  actor: EventActor
  requestId?: EventRequestId
}

/** A webhook was disabled by the service. Its readers have the scope `webhooks:manage`. */
export type WebhookDisabledEvent = {
  id: EventId
  type: 'webhook.disabled'
  createdAt: EventInstant
  data: Webhook
  previous?: PreviousWebhook
  actor: EventActor
  requestId?: EventRequestId
}

/** A webhook has another secret. Its readers have the scope `webhooks:manage`. */
export type WebhookRotatedEvent = {
  id: EventId
  type: 'webhook.rotated'
  createdAt: EventInstant
  data: Webhook
  previous?: PreviousWebhook
  actor: EventActor
  requestId?: EventRequestId
}

/** A test of a webhook was asked for. Its readers have the scope `webhooks:manage`. */
export type WebhookTestedEvent = {
  id: EventId
  type: 'webhook.tested'
  createdAt: EventInstant
  data: Webhook
  actor: EventActor
  requestId?: EventRequestId
}

/** A webhook was changed. Its readers have the scope `webhooks:manage`. */
export type WebhookUpdatedEvent = {
  id: EventId
  type: 'webhook.updated'
  createdAt: EventInstant
  data: Webhook
  previous?: PreviousWebhook
  actor: EventActor
  requestId?: EventRequestId
}

export type ListPetsQuery = {
  /** Maximum number of records returned. */
  limit?: number | undefined
  /** The `cursor` of the `next` link of the previous page: opaque, and valid only for the same list, filters and order. */
  cursor?: string | undefined
  /** Only records with a greater id, or with a smaller one if `sort=-id`: the last id of the previous page. An alternative to `cursor` for clients that cannot read headers; if both are sent, they must name the same position. */
  after?: Int64 | undefined
  /** Only pets with this status. */
  status?: PetStatus | undefined
  /** Only pets of this category. */
  categoryId?: Int64 | undefined
  /** Only pets with one of these ids; repeat it for several. */
  id?: Int64 | readonly Int64[] | undefined
  /** Only pets whose name begins with this; case is ignored. */
  name?: string | undefined
  /** Only pets whose name has these words. Each begins a word of the name, in any order; case and accents are ignored. Words are letters and digits in a row, decomposed (NFKD), without marks; in scripts without spaces, such as Chinese, Japanese and Thai, each character is a word. At most eight words; of a name the first 100 words count, and of a word the first 50 characters. */
  search?: string | undefined
  /** Ascending (`id`) or descending (`-id`) order of ids, or of names (`name`, `-name`): case is ignored, and records with the same name are in order of ids. Page through an order of names with `cursor`; `after` is refused. */
  sort?: 'id' | '-id' | 'name' | '-name' | undefined
}

export type ExportPetsQuery = {
  /** Only pets with this status. */
  status?: PetStatus | undefined
  /** Only pets of this category. */
  categoryId?: Int64 | undefined
  /** Only pets with one of these ids; repeat it for several. */
  id?: Int64 | readonly Int64[] | undefined
  /** Only pets whose name begins with this; case is ignored. */
  name?: string | undefined
  /** Only pets whose name has these words. Each begins a word of the name, in any order; case and accents are ignored. Words are letters and digits in a row, decomposed (NFKD), without marks; in scripts without spaces, such as Chinese, Japanese and Thai, each character is a word. At most eight words; of a name the first 100 words count, and of a word the first 50 characters. */
  search?: string | undefined
  /** Ascending (`id`) or descending (`-id`) order of ids. */
  sort?: 'id' | '-id' | undefined
}

export type ImportPetsQuery = {
  /** Whether all rows are checked and nothing is stored. */
  dryRun?: boolean | undefined
  /** Whether a refused row refuses the whole file, or is left out. */
  onError?: 'refuse' | 'skip' | undefined
  /** Whether the column `id` is ignored: every row adds a pet. */
  ignoreIds?: boolean | undefined
  /** Whether a name in the column `category` that no category has adds one; otherwise it refuses the row. */
  createCategories?: boolean | undefined
  /** The currency of prices without one. */
  currency?: Currency | undefined
  /** Which column is which member, as `Tiername:name,Art:category`; a column without a member, as `Status:`, is ignored. Other columns are matched by their names; case, spaces, `_` and `-` do not count. */
  columns?: string | undefined
}

export type ListDetailsQuery = {
  /** Maximum number of records returned. */
  limit?: number | undefined
  /** The `cursor` of the `next` link of the previous page: opaque, and valid only for the same list, filters and order. */
  cursor?: string | undefined
  /** Only records with a greater id, or with a smaller one if `sort=-id`: the last id of the previous page. An alternative to `cursor` for clients that cannot read headers; if both are sent, they must name the same position. */
  after?: Int64 | undefined
  /** Ascending (`id`) or descending (`-id`) order of ids. */
  sort?: 'id' | '-id' | undefined
  /** Only details of pets with one of these ids; repeat it for several. */
  petId?: Int64 | readonly Int64[] | undefined
  /** Only details that have this tag. */
  tag?: string | undefined
  /** Only details whose price is in this currency. */
  currency?: Currency | undefined
}

export type ListCategoriesQuery = {
  /** Maximum number of records returned. */
  limit?: number | undefined
  /** The `cursor` of the `next` link of the previous page: opaque, and valid only for the same list, filters and order. */
  cursor?: string | undefined
  /** Only records with a greater id, or with a smaller one if `sort=-id`: the last id of the previous page. An alternative to `cursor` for clients that cannot read headers; if both are sent, they must name the same position. */
  after?: Int64 | undefined
  /** Only categories with one of these ids; repeat it for several. */
  id?: Int64 | readonly Int64[] | undefined
  /** Only categories whose name begins with this; case is ignored. */
  name?: string | undefined
  /** Ascending (`id`) or descending (`-id`) order of ids, or of names (`name`, `-name`): case is ignored, and records with the same name are in order of ids. Page through an order of names with `cursor`; `after` is refused. */
  sort?: 'id' | '-id' | 'name' | '-name' | undefined
}

export type ListPhotosQuery = {
  /** Maximum number of records returned. */
  limit?: number | undefined
  /** The `cursor` of the `next` link of the previous page: opaque, and valid only for the same list, filters and order. */
  cursor?: string | undefined
  /** Only records with a greater id, or with a smaller one if `sort=-id`: the last id of the previous page. An alternative to `cursor` for clients that cannot read headers; if both are sent, they must name the same position. */
  after?: Int64 | undefined
  /** Ascending (`id`) or descending (`-id`) order of ids. */
  sort?: 'id' | '-id' | undefined
  /** Only photos of pets with one of these ids; repeat it for several. */
  petId?: Int64 | readonly Int64[] | undefined
}

export type ListOrdersQuery = {
  /** Maximum number of records returned. */
  limit?: number | undefined
  /** The `cursor` of the `next` link of the previous page: opaque, and valid only for the same list, filters and order. */
  cursor?: string | undefined
  /** Only records with a greater id, or with a smaller one if `sort=-id`: the last id of the previous page. An alternative to `cursor` for clients that cannot read headers; if both are sent, they must name the same position. */
  after?: Int64 | undefined
  /** Ascending (`id`) or descending (`-id`) order of ids. */
  sort?: 'id' | '-id' | undefined
  /** Only orders with this status. */
  status?: OrderStatus | undefined
  /** Only orders of this pet. */
  petId?: Int64 | undefined
  /** Only orders with one of these ids; repeat it for several. */
  id?: Int64 | readonly Int64[] | undefined
  /** Only orders that were placed at this instant or later. */
  createdAfter?: string | undefined
  /** Only orders that were placed before this instant. */
  createdBefore?: string | undefined
  /** Only orders with this reference, exactly as it was sent. */
  reference?: string | undefined
}

export type ExportOrdersQuery = {
  /** Only orders with this status. */
  status?: OrderStatus | undefined
  /** Only orders of this pet. */
  petId?: Int64 | undefined
  /** Only orders with one of these ids; repeat it for several. */
  id?: Int64 | readonly Int64[] | undefined
  /** Only orders that were placed at this instant or later. */
  createdAfter?: string | undefined
  /** Only orders that were placed before this instant. */
  createdBefore?: string | undefined
  /** Only orders with this reference, exactly as it was sent. */
  reference?: string | undefined
  /** Ascending (`id`) or descending (`-id`) order of ids. */
  sort?: 'id' | '-id' | undefined
}

export type ListInventoryQuery = {
  /** Maximum number of records returned. */
  limit?: number | undefined
  /** The `cursor` of the `next` link of the previous page: opaque, and valid only for the same list, filters and order. */
  cursor?: string | undefined
  /** Only records with a greater id, or with a smaller one if `sort=-id`: the last id of the previous page. An alternative to `cursor` for clients that cannot read headers; if both are sent, they must name the same position. */
  after?: Int64 | undefined
  /** Ascending (`id`) or descending (`-id`) order of ids. */
  sort?: 'id' | '-id' | undefined
  /** Only pets with this status. */
  status?: PetStatus | undefined
  /** Only pets with one of these ids; repeat it for several. */
  petId?: Int64 | readonly Int64[] | undefined
}

export type ExportInventoryQuery = {
  /** Only pets with this status. */
  status?: PetStatus | undefined
  /** Only pets with one of these ids; repeat it for several. */
  petId?: Int64 | readonly Int64[] | undefined
  /** Ascending (`id`) or descending (`-id`) order of ids. */
  sort?: 'id' | '-id' | undefined
}

export type ListKeysQuery = {
  /** Maximum number of records returned. */
  limit?: number | undefined
  /** The `cursor` of the `next` link of the previous page: opaque, and valid only for the same list, filters and order. */
  cursor?: string | undefined
  /** Only records with a greater id, or with a smaller one if `sort=-id`: the last id of the previous page. An alternative to `cursor` for clients that cannot read headers; if both are sent, they must name the same position. */
  after?: Int64 | undefined
  /** Ascending (`id`) or descending (`-id`) order of ids. */
  sort?: 'id' | '-id' | undefined
}

export type ListWebhooksQuery = {
  /** Maximum number of records returned. */
  limit?: number | undefined
  /** The `cursor` of the `next` link of the previous page: opaque, and valid only for the same list, filters and order. */
  cursor?: string | undefined
  /** Only records with a greater id, or with a smaller one if `sort=-id`: the last id of the previous page. An alternative to `cursor` for clients that cannot read headers; if both are sent, they must name the same position. */
  after?: Int64 | undefined
  /** Ascending (`id`) or descending (`-id`) order of ids. */
  sort?: 'id' | '-id' | undefined
}

export type ListDeliveriesQuery = {
  /** Maximum number of records returned. */
  limit?: number | undefined
  /** The `cursor` of the `next` link of the previous page: opaque, and valid only for the same list, filters and order. */
  cursor?: string | undefined
  /** Only records with a greater id, or with a smaller one if `sort=-id`: the last id of the previous page. An alternative to `cursor` for clients that cannot read headers; if both are sent, they must name the same position. */
  after?: Int64 | undefined
  /** Ascending (`id`) or descending (`-id`) order of ids. */
  sort?: 'id' | '-id' | undefined
  /** Only deliveries with this status. */
  status?: DeliveryStatus | undefined
  /** Only the delivery of this event. */
  eventId?: Int64 | undefined
}

export type ListEventsQuery = {
  /** Maximum number of records returned. */
  limit?: number | undefined
  /** The `cursor` of the `next` link of the previous page: opaque, and valid only for the same list, filters and order. */
  cursor?: string | undefined
  /** Only records with a greater id, or with a smaller one if `sort=-id`: the last id of the previous page. An alternative to `cursor` for clients that cannot read headers; if both are sent, they must name the same position. */
  after?: Int64 | undefined
  /** Ascending (`id`) or descending (`-id`) order of ids. */
  sort?: 'id' | '-id' | undefined
  /** Only events of this type; repeat it for several. */
  type?: EventType | readonly EventType[] | undefined
  /** Only events of this pet, its inventory, its details and its photo. */
  petId?: Int64 | undefined
  /** Only events of this order. */
  orderId?: Int64 | undefined
}
