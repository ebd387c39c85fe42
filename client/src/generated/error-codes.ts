// Made from the contract by tools/generate.ts.

type StatusOfCode = {
  /** 400: The request cannot be read. */
  invalid_request: 400
  /** 400: The body is not JSON. */
  invalid_json: 400
  /** 400: The body is invalid. */
  invalid_body: 400
  /** 400: A parameter is invalid. */
  invalid_parameter: 400
  /** 400: The cursor does not belong to this list. */
  invalid_cursor: 400
  /** 401: No API key was sent. */
  missing_api_key: 401
  /** 401: The API key is not known. */
  invalid_api_key: 401
  /** 401: The API key has expired. */
  expired_api_key: 401
  /** 401: The API key was revoked. */
  revoked_api_key: 401
  /** 403: The API key lacks the scope of this operation. */
  insufficient_scope: 403
  /** 404: The resource could not be found. */
  not_found: 404
  /** 405: The method is not allowed. */
  method_not_allowed: 405
  /** 408: The request took too long to arrive. */
  request_timeout: 408
  /** 409: The pet is not for sale. */
  pet_not_available: 409
  /** 409: There is not enough stock. */
  insufficient_stock: 409
  /** 409: An open order holds the pet. */
  pet_in_open_order: 409
  /** 409: The status cannot change in this way. */
  invalid_transition: 409
  /** 409: The order can no longer be cancelled. */
  order_not_cancellable: 409
  /** 409: A category with this name exists. */
  category_exists: 409
  /** 409: The key was revoked or has expired. */
  key_not_active: 409
  /** 409: The key that a rotation replaced is still accepted. */
  rotation_in_progress: 409
  /** 409: The store has as many webhooks as it may. */
  too_many_webhooks: 409
  /** 409: Nothing is sent to the webhook now. */
  webhook_not_enabled: 409
  /** 409: No other key may manage keys. */
  last_key_manager: 409
  /** 409: A request with this Idempotency-Key is in progress. */
  idempotency_key_in_use: 409
  /** 410: The position is no longer in the log of events. */
  events_expired: 410
  /** 410: The operation was removed. */
  operation_removed: 410
  /** 412: The record does not match If-Match. */
  precondition_failed: 412
  /** 413: The body is too large. */
  body_too_large: 413
  /** 415: The media type of the body is not supported. */
  unsupported_media_type: 415
  /** 416: The range is not within the file. */
  range_not_satisfiable: 416
  /** 422: The Idempotency-Key was used for another request. */
  idempotency_key_reused: 422
  /** 422: Rows of the file are wrong. */
  rows_refused: 422
  /** 429: The API key sends too many requests. */
  rate_limited: 429
  /** 429: The maximum of stored results of Idempotency-Keys is reached. */
  too_many_idempotency_keys: 429
  /** 431: The header block is too large. */
  headers_too_large: 431
  /** 500: The service failed. */
  internal_error: 500
  /** 503: The service is unavailable. */
  unavailable: 503
}

/** The error codes of the service: a closed list. */
export type ErrorCode = keyof StatusOfCode
