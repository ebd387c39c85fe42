/**
 * All error codes. Interface 1.0.0, section 7, lists none; this list is complete, and `docs/errors.md` explains each. A
 * code is never renamed and never reused.
 */
export const errorCodes = {
  invalid_request: { status: 400, title: 'The request cannot be read' },
  invalid_json: { status: 400, title: 'The body is not JSON' },
  invalid_body: { status: 400, title: 'The body is invalid' },
  invalid_parameter: { status: 400, title: 'A parameter is invalid' },
  invalid_cursor: { status: 400, title: 'The cursor does not belong to this list' },
  missing_api_key: { status: 401, title: 'No API key was sent' },
  invalid_api_key: { status: 401, title: 'The API key is not known' },
  expired_api_key: { status: 401, title: 'The API key has expired' },
  revoked_api_key: { status: 401, title: 'The API key was revoked' },
  insufficient_scope: { status: 403, title: 'The API key lacks the scope of this operation' },
  not_found: { status: 404, title: 'The resource could not be found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  pet_not_available: { status: 409, title: 'The pet is not for sale' },
  insufficient_stock: { status: 409, title: 'There is not enough stock' },
  pet_in_open_order: { status: 409, title: 'An open order holds the pet' },
  invalid_transition: { status: 409, title: 'The status cannot change in this way' },
  order_not_cancellable: { status: 409, title: 'The order can no longer be cancelled' },
  category_exists: { status: 409, title: 'A category with this name exists' },
  key_not_active: { status: 409, title: 'The key was revoked or has expired' },
  rotation_in_progress: {
    status: 409,
    title: 'The key that a rotation replaced is still accepted',
  },
  too_many_webhooks: { status: 409, title: 'The store has as many webhooks as it may' },
  webhook_not_enabled: { status: 409, title: 'Nothing is sent to the webhook now' },
  last_key_manager: { status: 409, title: 'No other key may manage keys' },
  idempotency_key_in_use: {
    status: 409,
    title: 'A request with this Idempotency-Key is in progress',
    retryAfterSeconds: 1,
  },
  events_expired: { status: 410, title: 'The position is no longer in the log of events' },
  operation_removed: { status: 410, title: 'The operation was removed' },
  precondition_failed: { status: 412, title: 'The record does not match If-Match' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The media type of the body is not supported' },
  range_not_satisfiable: { status: 416, title: 'The range is not within the file' },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
  },
  rows_refused: { status: 422, title: 'Rows of the file are wrong' },
  rate_limited: {
    status: 429,
    title: 'The API key sends too many requests',
    retryAfterSeconds: 1,
  },
  too_many_idempotency_keys: {
    status: 429,
    title: 'The maximum of stored results of Idempotency-Keys is reached',
    retryAfterSeconds: 60,
  },
  headers_too_large: { status: 431, title: 'The header block is too large' },
  internal_error: { status: 500, title: 'The service failed' },
  unavailable: { status: 503, title: 'The service is unavailable', retryAfterSeconds: 1 },
} as const satisfies Record<string, ErrorKind>

/** `retryAfterSeconds` is set where the request can be retried (RFC 9110, section 10.2.3). */
type ErrorKind = { status: number; title: string; retryAfterSeconds?: number }

export type ErrorCode = keyof typeof errorCodes

/** The properties of every error with a code. */
export function errorKindOf(code: ErrorCode): ErrorKind {
  return errorCodes[code]
}
