import { Button } from '@mantine/core'
import { formatCount, formatCounted } from '../../base/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { saveFile } from '../../shared/save-file.ts'
import { UserText } from '../../shared/user-text.tsx'
import { groupProblems } from './group-problems.ts'
import classes from './import-dialog.module.css'
import type { Matched, Preview } from './preview.ts'
import type { Result } from './use-import.ts'

type Props = Result & { preview: Preview; matched: Matched; isDone: boolean }

/** What an import has done, or would do, and what is wrong with rows. */
export function ImportReport({ preview, matched, isDone, ...result }: Props) {
  const { report, refused: file } = result
  const { rows, refused, problems } = report
  const [one, many] = isDone ? ['was', 'were'] : ['is', 'are']
  const leftOut =
    refused === 0 ? '' : ` ${formatCounted(refused, 'row')} ${refused === 1 ? one : many} left out:`
  const groups = groupProblems(problems, preview.columns, matched)
  return (
    <>
      <p>
        {isDone ? describe(result, 'added', 'changed') : summaryOf(result)}
        {leftOut}
      </p>
      {refused > 0 && (
        <>
          <ul className={classes.problems}>
            {groups.map(({ text, lines }) => (
              <li key={text}>
                <UserText text={text} isWhole /> <small>{lines}</small>
              </li>
            ))}
            {refused > new Set(problems.map(({ line }) => line)).size && (
              <li>and so on: these are the first {formatCount(problems.length)} problems</li>
            )}
          </ul>
          {file !== undefined && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="download" size={16} />}
              onClick={() => saveFile('pets-to-repair.csv', new Blob([file], { type: 'text/csv' }))}
            >
              Save the rows to repair
            </Button>
          )}
        </>
      )}
      {!isDone && refused === rows && <p>There is no row to import.</p>}
    </>
  )
}

function describe({ report: { created, updated } }: Result, added: string, changed: string) {
  const pets = created > 0 || updated === 0 ? [`${formatCounted(created, 'pet')} ${added}`] : []
  return `${[...pets, ...(updated > 0 ? [`${formatCounted(updated, 'pet')} ${changed}`] : [])].join(', ')}.`
}

function summaryOf(result: Result): string {
  const { report, storedBefore } = result
  const { created, updated, rows, storedAt } = report
  if (storedAt !== undefined)
    return `${formatCount(created + updated)} of these were ${updated > 0 ? 'imported' : 'added'} ${dayOf(storedAt)}. ${updated > 0 ? 'Import' : 'Add'} them again?`
  const sum = describe(result, 'to add', 'to change')
  return storedBefore === 0
    ? sum
    : `${formatCount(storedBefore)} of these ${formatCounted(rows, 'row')} were imported before, and are left as they are. If you have changed the file since, some of the others may be there already: they are added again. ${sum}`
}

/** The day and time of an instant of the last 24 hours: so long, an import is known. */
function dayOf(storedAt: string): string {
  const at = new Date(storedAt)
  const day = at.toDateString() === new Date().toDateString() ? 'today' : 'yesterday'
  return `${day} at ${at.toLocaleTimeString(undefined, { timeStyle: 'short' })}`
}
