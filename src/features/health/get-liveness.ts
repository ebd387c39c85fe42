/** Returns while the process runs, whatever the state of its database. */
export async function getLiveness(): Promise<{ status: 'live' }> {
  return { status: 'live' }
}
