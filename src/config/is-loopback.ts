/** Whether an address leads to this machine alone. A folder is that of a socket. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|\/.*)$/.test(host)
}
