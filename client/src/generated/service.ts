// Made from the contract by tools/generate.ts.

import type { Call } from '../call.ts'
import type { Operation, ReadOptions, RequestOptions } from '../operation.ts'
import type { Transport } from '../transport.ts'
import type { ArazzoDocument, Liveness, OpenApiDocument, Readiness } from './records.ts'

const getLiveness: Operation = {
  id: 'getLiveness',
  method: 'GET',
  path: '/health/live',
  isOpen: true,
}

const getReadiness: Operation = {
  id: 'getReadiness',
  method: 'GET',
  path: '/health/ready',
  isOpen: true,
}

const getDocument: Operation = {
  id: 'getDocument',
  method: 'GET',
  path: '/openapi.json',
  isOpen: true,
}

const getWorkflows: Operation = {
  id: 'getWorkflows',
  method: 'GET',
  path: '/arazzo.json',
  isOpen: true,
}

export class Service {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Check that the process runs.
   *
   * Returns 200 while the process runs, whatever the state of its database.
   */
  getLiveness(options: RequestOptions = {}): Call<Liveness> {
    return this.#transport.call(getLiveness, {}, options)
  }

  /**
   * Check that the service is ready.
   *
   * Returns 200 if the store has all its tables and a commit succeeds, and 503 if not or if the process is stopping.
   */
  getReadiness(options: RequestOptions = {}): Call<Readiness> {
    return this.#transport.call(getReadiness, {}, options)
  }

  /**
   * Get this document.
   *
   * Returns the OpenAPI 3.1 document of the service, compressed on request.
   */
  getDocument(options: ReadOptions & { ifNoneMatch: string }): Call<OpenApiDocument | undefined>
  getDocument(options?: ReadOptions): Call<OpenApiDocument>
  getDocument(options: ReadOptions = {}): Call<OpenApiDocument> {
    return this.#transport.call(getDocument, {}, options)
  }

  /**
   * Get the workflows.
   *
   * Returns an Arazzo 1.0 document: how operations are used together, step by step, for programs that run it.
   */
  getWorkflows(options: ReadOptions & { ifNoneMatch: string }): Call<ArazzoDocument | undefined>
  getWorkflows(options?: ReadOptions): Call<ArazzoDocument>
  getWorkflows(options: ReadOptions = {}): Call<ArazzoDocument> {
    return this.#transport.call(getWorkflows, {}, options)
  }
}
