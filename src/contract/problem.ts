/**
 * One problem of a request: where (an RFC 6901 pointer into the body, a parameter, or a line of a file), and what is wrong
 * there.
 */
export type Problem = {
  pointer?: string
  parameter?: string
  line?: number
  column?: string
  /** The error code of a refused line. */
  code?: string
  detail: string
}
