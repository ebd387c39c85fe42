/** The process runs. */
export async function getLiveness(): Promise<{ status: 'live' }> {
  return { status: 'live' }
}
