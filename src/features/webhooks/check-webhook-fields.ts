import type { ServiceContext } from '../../context/context.ts'
import { type Problem, shown } from '../../contract/problem.ts'
import { didYouMean } from '../../nearest-name.ts'
import { invalidBody } from '../refuse.ts'

/** Checks what the schemas cannot: that events may be sent to the address, and that the types exist. Throws `invalid_body`. */
export async function checkWebhookFields(
  { targets, eventTypes }: ServiceContext,
  { url, types }: { url?: string | undefined; types?: readonly string[] | null | undefined },
): Promise<void> {
  const fault = url === undefined ? undefined : await targets.findFault(url)
  const problems: Problem[] = fault
    ? [{ pointer: '/url', detail: `is refused: ${fault.replace(/\.$/, '')}` }]
    : []
  const known = Object.keys(eventTypes)
  for (const [index, type] of types?.entries() ?? []) {
    if (known.includes(type)) continue
    const advice = didYouMean(type, known, { otherwise: '' })
    const detail = `must be a type of event; received ${shown(type)}${advice}`
    problems.push({ pointer: `/types/${index}`, detail })
  }
  if (problems.length > 0) throw invalidBody(problems)
}
