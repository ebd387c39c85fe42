import type { ServiceContext } from '../../context/context.ts'
import { type Problem, shown } from '../../contract/problem.ts'
import { didYouMean } from '../../nearest-name.ts'
import { invalidBody } from '../refuse.ts'

/** Checks what the schemas cannot: that events may be sent to the address, and that the types exist, each once. Throws `invalid_body`. */
export async function checkWebhookFields(
  { targets, eventTypes }: ServiceContext,
  { url, types }: { url?: string | undefined; types?: readonly string[] | null | undefined },
): Promise<void> {
  const fault = url === undefined ? undefined : await targets.findFault(url)
  const problems: Problem[] = fault
    ? [{ pointer: '/url', detail: `is refused: ${fault.replace(/\.$/, '')}` }]
    : []
  for (const [index, type] of types?.entries() ?? []) {
    const detail = faultOf(type, types?.indexOf(type) === index, Object.keys(eventTypes))
    if (detail) problems.push({ pointer: `/types/${index}`, detail })
  }
  if (problems.length > 0) throw invalidBody(problems)
}

function faultOf(type: string, isFirst: boolean, known: readonly string[]): string | undefined {
  if (!isFirst) return `must be given once; ${type} is given twice`
  if (known.includes(type)) return undefined
  const advice = didYouMean(type, known, { otherwise: '' })
  return `must be a type of event; received ${shown(type)}${advice}`
}
