import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../processes/command.ts'
import { type Contender, forces, petsIn, type Reply, type Running } from './contender.ts'

/** What one contender does, in the words of the table, by the title of the row. */
export type Cells = Record<string, string>

const ada = { method: 'POST', path: '/pets', body: '{"name":"Ada","categoryId":77}' }
const beyondDoubles = '9007199254740993'

/** Tries everything that a test might rely on. Each try that may change something has a start of its own. */
export async function probe(contender: Contender, workspace: string): Promise<Cells> {
  const folder = () => mkdtempSync(join(workspace, 'probe-'))
  const start = () => contender.start(folder())
  const cells: Cells = { 'serves another API': await probeCats(contender, folder()) }
  {
    await using running = await start()
    Object.assign(cells, await probeChecks(running), await probePages(contender, running))
  }
  cells['keeps a created pet'] = await probeKept(await start())
  cells['keeps it after a restart'] = await probeRestart(contender, folder())
  cells['an int64 beyond 2^53'] = await probeInt64(await start())
  for (const force of forces) {
    cells[titles[force]] = await probeForce(contender, force, folder())
  }
  return cells
}

const titles = {
  error: 'forces an error',
  delay: 'forces a delay',
  cut: 'cuts a connection after the effect',
  clock: 'moves the clock',
}

async function probeCats(contender: Contender, folder: string): Promise<string> {
  if (contender.serveCats === undefined) return 'no'
  const { status } = await contender.serveCats(folder)
  if (status !== 200) throw new Error(`${contender.name} does not serve cats: ${status}.`)
  return `yes, from ${contender.from}`
}

async function probeChecks({ call }: Running): Promise<Cells> {
  const withoutName = { ...ada, body: '{"categoryId":77}' }
  return {
    'a request without a key': statusOf(await call({ path: '/pets?limit=20', key: null })),
    'a request with an unknown key': statusOf(await call({ path: '/pets?limit=20', key: 'wrong' })),
    'a pet without a name': statusOf(await call(withoutName)),
    '`limit=0`': statusOf(await call({ path: '/pets?limit=0' })),
    'an unknown path': statusOf(await call({ path: '/horses' })),
  }
}

async function probePages({ limitName }: Contender, { call }: Running): Promise<Cells> {
  const two = petsIn(await call({ path: '/pets?limit=2' }))
  const own = limitName && petsIn(await call({ path: `/pets?${limitName}=2` }))
  const otherwise = own && own.length === 2 ? `no, \`${limitName}=2\` does` : 'no'
  const sold = petsIn(await call({ path: '/pets?status=sold' }))
  return {
    '`limit=2` gives two pets': two.length === 2 ? 'yes' : otherwise,
    '`status=sold` gives no available pet': sold.length === 0 ? 'yes' : 'no',
  }
}

async function probeKept(running: Running): Promise<string> {
  await running.call(ada)
  return probeAda(running)
}

async function probeRestart(contender: Contender, folder: string): Promise<string> {
  {
    await using running = await contender.restart(folder)
    await running.call(ada)
    if (contender.hasWritten) await until(() => contender.hasWritten?.(folder, 'Ada') ?? false)
  }
  const isKept = await probeAda(await contender.restart(folder))
  return isKept === 'yes' && contender.hasWritten ? 'yes, soon after the response' : isKept
}

async function probeAda(running: Running): Promise<string> {
  await using _ = running
  const pets = petsIn(await running.call({ path: '/pets?limit=100' }))
  return pets.some(({ name }) => name === 'Ada') ? 'yes' : 'no'
}

async function probeInt64(running: Running): Promise<string> {
  await using _ = running
  const body = `{"name":"Ada","categoryId":${beyondDoubles}}`
  const { status, text } = await running.call({ ...ada, body })
  if (status >= 400) return `refused (${status})`
  return text.includes(`"categoryId":${beyondDoubles}`) ? 'exact' : 'rounded'
}

async function probeForce(
  contender: Contender,
  force: (typeof forces)[number],
  folder: string,
): Promise<string> {
  const own = contender.force[force]
  if (own === undefined) return 'no'
  await using running = await contender.start(folder)
  if (!(await own.holds(running, folder))) {
    throw new Error(`${contender.name}: ${own.by} does not hold.`)
  }
  return own.by
}

function statusOf({ status }: Reply): string {
  return status === 0 ? '`fetch` rejects' : String(status)
}
