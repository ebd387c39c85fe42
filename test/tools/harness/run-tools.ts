import { openBench } from './bench.ts'
import { versionOf } from './packages.ts'
import { type Fault, NotTried, type Tool } from './tool.ts'

/** Runs the tools of these names, or all, a line for each. Returns the exit code. */
export async function runTools(
  tools: Tool[],
  names: string[],
  { withFaults }: { withFaults: boolean },
): Promise<number> {
  // A tool `int64:orval` is run by its name, and with all of `int64`.
  const known = tools.flatMap(({ name }) => [name, name.split(':', 1)[0] as string])
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    console.error(
      `There is no tool ${unknown.join(', ')}: name some of ${[...new Set(known)].join(', ')}.`,
    )
    return 64
  }
  const chosen = tools.filter(
    ({ name }) =>
      names.length === 0 || names.some((one) => name === one || name.startsWith(`${one}:`)),
  )
  let isGood = true
  for (const tool of chosen) {
    const outcome = await show(tool)
    if (outcome === 'failed') isGood = false
    if (outcome === 'passed' && withFaults && !(await noticesFaults(tool))) isGood = false
  }
  return isGood ? 0 : 1
}

async function show(tool: Tool): Promise<'passed' | 'failed' | 'not tried'> {
  const versions = tool.packages.map((name) => `${name} ${versionOf(name)}`).join(', ')
  const title = versions === '' ? tool.name : `${tool.name} (${versions})`
  const { done, failure, notTried } = await tryTool(tool)
  if (notTried !== undefined) {
    console.log(`– ${title}: NOT TRIED, since ${notTried}`)
    return 'not tried'
  }
  console.log(failure === undefined ? `✔ ${title}: ${done}` : `✖ ${title}:\n${indent(failure)}`)
  return failure === undefined ? 'passed' : 'failed'
}

async function noticesFaults(tool: Tool): Promise<boolean> {
  let isGood = true
  for (const fault of tool.faults) {
    const { failure } = await tryTool(tool, fault)
    if (failure !== undefined && fault.expected.test(failure)) {
      console.log(`  ✔ notices ${fault.fault}`)
    } else {
      isGood = false
      console.log(`  ✖ ${failure === undefined ? 'misses' : 'fails otherwise with'} ${fault.fault}`)
      if (failure !== undefined) console.log(indent(failure))
    }
  }
  return isGood
}

type Outcome = { done?: string; failure?: string; notTried?: string }

async function tryTool(tool: Tool, fault?: Fault): Promise<Outcome> {
  await using bench = await openBench(tool, fault)
  try {
    return { done: await tool.check(bench) }
  } catch (error) {
    if (error instanceof NotTried) return { notTried: error.message }
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

const failureLinesMax = 24

function indent(text: string): string {
  const lines = text.split('\n')
  const shown = lines.slice(0, failureLinesMax).map((line) => `    ${line}`)
  const rest = lines.length - shown.length
  return rest > 0 ? [...shown, `    … ${rest} more lines`].join('\n') : shown.join('\n')
}
