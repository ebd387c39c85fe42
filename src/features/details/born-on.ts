const dayMs = 86_400_000

/** Why a date of birth is too late: east of Greenwich it may be tomorrow already. */
export function describeLateBirth(
  { bornOn = '' }: { bornOn?: string | undefined },
  nowMs: number,
): string | undefined {
  const last = new Date(nowMs + dayMs).toISOString().slice(0, 10)
  return bornOn > last ? `must be ${last} at most; received ${JSON.stringify(bornOn)}` : undefined
}
