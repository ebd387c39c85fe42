import type { Distortion } from './distort.ts'

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

/** Something that somebody else wrote and that is given the document. */
export type Tool = {
  name: string
  /** Whose versions count, the tool itself first. */
  packages: string[]
  /** Demo pets of the store that it meets; none where absent. */
  seed?: number
  /** Says in a few words what was done; throws where the tool finds something wrong. */
  check(bench: Bench): Promise<string>
  /** What `check` has to notice: an error in the document, or a service that does not keep to it. */
  faults: Fault[]
}

export type Fault = {
  fault: string
  edit?(document: Document): void
  distort?: Distortion
  /** What the failure has to speak of, so that it is not another one. */
  expected: RegExp
}
