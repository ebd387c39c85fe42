import { Button, Group, Modal, Progress, Select } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ImportReport } from '../../../../client/src/index.ts'
import { formatInstant } from '../../base/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { saveFile } from '../../shared/save-file.ts'
import { UserText } from '../../shared/user-text.tsx'
import classes from './import-dialog.module.css'
import { columnsParameter, type Member, memberOf, members, type Preview } from './preview.ts'
import { type ImportState, useImport } from './use-import.ts'

const number = (count: number) => count.toLocaleString('en')
const rowsText = (count: number) => `${number(count)} ${count === 1 ? 'row' : 'rows'}`
const ignored = { value: '', label: 'ignored' }
const choices = [...members.map((value) => ({ value, label: value })), ignored]

type Props = { file: File; preview: Preview; close(): void }

/** Shows which column of a file is what and what is wrong with its rows, then imports them. */
export function ImportDialog({ file, preview, close }: Props) {
  const { columns } = preview
  const [matched, setMatched] = useState(() => columns.map(memberOf))
  const { state, check, start, stop, reset } = useImport(file, preview)
  const parameter = columnsParameter(columns, matched)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; other columns are checked on request
  useEffect(() => void check(parameter), [])
  const isImporting = state.step === 'importing'

  function match(index: number, member: Member | undefined) {
    setMatched(matched.with(index, member))
    reset()
  }

  return (
    <Modal
      opened
      onClose={() => isImporting || close()}
      title={<strong>Import {file.name}</strong>}
      size="xl"
      closeOnClickOutside={false}
    >
      {state.step !== 'done' && (
        <PreviewTable
          preview={preview}
          matched={matched}
          match={match}
          isFixed={isImporting || state.step === 'checking'}
        />
      )}
      <div aria-live="polite">
        <Outcome state={state} />
      </div>
      <Group mt="lg" gap="sm" justify="flex-end">
        {isImporting ? (
          <Button variant="default" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button variant="default" onClick={close}>
            {state.step === 'done' ? 'Done' : 'Cancel'}
          </Button>
        )}
        {(state.step === 'matching' || state.step === 'checking') && (
          <Button loading={state.step === 'checking'} onClick={() => check(parameter)}>
            Check
          </Button>
        )}
        {state.step === 'checked' && (
          <Button
            disabled={state.report.rows === state.report.refused}
            onClick={() => start(parameter, state)}
          >
            Import {rowsText(state.report.rows - state.report.refused)}
            {state.report.storedAt !== undefined && ' again'}
          </Button>
        )}
      </Group>
    </Modal>
  )
}

type PreviewProps = {
  preview: Preview
  matched: readonly (Member | undefined)[]
  match(index: number, member: Member | undefined): void
  isFixed: boolean
}

function PreviewTable({ preview: { columns, rows }, matched, match, isFixed }: PreviewProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
    <section className={classes.preview} aria-label="The first rows" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
              <th key={index}>
                <UserText text={column} />
                <Select
                  size="xs"
                  aria-label={`What ${column} is`}
                  data={choices}
                  value={matched[index] ?? ''}
                  disabled={isFixed}
                  allowDeselect={false}
                  onChange={(value) =>
                    match(
                      index,
                      members.find((member) => member === value),
                    )
                  }
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            <tr key={line}>
              {columns.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity
                <td key={index} data-ignored={matched[index] === undefined || undefined}>
                  <UserText text={row[index] ?? ''} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Outcome({ state }: { state: ImportState }) {
  if (state.step === 'importing') {
    const { rows, checked, stored } = state.progress
    return (
      <div className={classes.progress}>
        <Progress
          // A row is half done once it is checked.
          value={(50 * (checked + stored)) / Math.max(1, rows)}
          aria-label="Imported"
          animated
        />
        <span>
          {number(stored)} of {rowsText(rows)} stored
        </span>
      </div>
    )
  }
  const problem = 'problem' in state ? state.problem : undefined
  return (
    <>
      {problem !== undefined && (
        <p role="alert" className={classes.wrong}>
          <Icon name="alert" /> {problem}
        </p>
      )}
      {'report' in state && <Report {...state} isDone={state.step === 'done'} />}
    </>
  )
}

type ReportProps = { report: ImportReport; refused?: string | undefined; isDone: boolean }

function Report({ report, refused: file, isDone }: ReportProps) {
  const { created, updated, refused, problems, storedAt } = report
  const isImported = !isDone && storedAt !== undefined
  return (
    <>
      <p>
        {isImported && `Imported already, ${formatInstant(storedAt)}. `}
        {isDone ? 'Imported: ' : 'To import: '}
        {rowsText(created)} for new pets, {rowsText(updated)} for pets that exist.{' '}
        {refused > 0 && `${rowsText(refused)} refused${isDone ? '.' : ': left out.'}`}
      </p>
      {problems.length > 0 && (
        <>
          <ul className={classes.problems}>
            {problems.slice(0, shownProblems).map(({ line, column, detail }) => (
              <li key={`${line} ${column}`}>
                <strong>
                  Line {number(line)}
                  {column !== undefined && (
                    <>
                      , <UserText text={column} />
                    </>
                  )}
                </strong>{' '}
                <UserText text={detail} isWhole />
              </li>
            ))}
          </ul>
          {file !== undefined && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="download" size={16} />}
              onClick={() => saveFile('refused-rows.csv', new Blob([file], { type: 'text/csv' }))}
            >
              Save what is wrong
            </Button>
          )}
        </>
      )}
    </>
  )
}

const shownProblems = 50
