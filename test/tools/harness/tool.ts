import type { Distortion } from '../../processes/http-faults.ts'

/** The OpenAPI document as JSON. */
export type Document = {
  // biome-ignore lint/suspicious/noExplicitAny: it is edited by path, and may be wrong on purpose
  [member: string]: any
}

/** What a tool works with: a store of its own, the document of that store, and a folder. */
export type Bench = {
  directory: string
  /** The document as a file of the folder, and parsed. */
  documentPath: string
  document: Document
  /** Ends in /v1. */
  baseUrl: string
  key: string
  [Symbol.asyncDispose](): Promise<void>
}

/** A program of others that is given the document. */
export type Tool = {
  name: string
  /** The packages whose versions are shown, the tool itself first. */
  packages: string[]
  /** Demo pets of its store; none when absent. */
  seed?: number
  /** The first id of its store. */
  firstId?: bigint
  /** Returns what was done in a few words; throws what the tool finds wrong, NotTried where the tool is not installed. */
  check(bench: Bench): Promise<string>
  /** What `check` must detect: an error in the document, or a service that violates it. */
  faults: Fault[]
}

/** Its message says why. */
export class NotTried extends Error {}

export type Fault = {
  fault: string
  edit?(document: Document): void
  distort?: Distortion
  /** What the failure must mention, so that it is not another one. */
  expected: RegExp
}
