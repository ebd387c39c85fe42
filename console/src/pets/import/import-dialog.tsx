import { Button, Checkbox, Group, Modal, Progress, Select } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { Currency } from '../../../../client/src/index.ts'
import { digitsOf } from '../../../../src/contract/currencies.ts'
import { formatCount, formatCounted } from '../../base/format.ts'
import dialogs from '../../editor/dialogs.module.css'
import { Icon } from '../../shared/icon.tsx'
import { UserText } from '../../shared/user-text.tsx'
import classes from './import-dialog.module.css'
import { ImportReport } from './import-report.tsx'
import {
  choicesFor,
  columnsParameter,
  countOfCategory,
  type Matched,
  type Member,
  matchColumns,
  missingFor,
  needsCurrency,
  type Preview,
} from './preview.ts'
import { type ImportState, type Result, useImport } from './use-import.ts'

type Props = { file: File; preview: Preview; close(): void }

/** Shows which column of a file is what and what is wrong with its rows, then imports them. */
export function ImportDialog({ file, preview, close }: Props) {
  const { columns } = preview
  const [matched, setMatched] = useState(() => matchColumns(columns))
  const [createCategories, setCreateCategories] = useState(true)
  const [currency, setCurrency] = useState<Currency>()
  const offer = useRef('')
  const { state, check, start, stop, reset } = useImport(file)
  const missing = missingFor(matched)
  const asksForCurrency = needsCurrency(preview, matched)
  const isIncomplete = missing.length > 0 || (asksForCurrency && currency === undefined)
  const query = { columns: columnsParameter(columns, matched), createCategories, currency }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; other columns are checked on request
  useEffect(() => void (!isIncomplete && check(query)), [])
  const isImporting = state.step === 'importing'
  if (state.step === 'checked' && createCategories) offer.current = offerOf(preview, matched, state)

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
      {asksForCurrency && state.step === 'matching' && (
        <Select
          mt="md"
          label="What the prices are in"
          description="The file does not say it. Or leave the column out."
          placeholder="Choose a currency"
          data={[...digitsOf.keys()]}
          value={currency ?? null}
          onChange={(value) => setCurrency((value ?? undefined) as Currency | undefined)}
          searchable
        />
      )}
      <div aria-live="polite">
        {missing.length > 0 && <p>Choose which column is {missing.join(' and which is ')}.</p>}
        <Outcome state={state} preview={preview} matched={matched} />
      </div>
      {(state.step === 'checked' || state.step === 'checking') && offer.current !== '' && (
        <Checkbox
          mt="md"
          disabled={state.step === 'checking'}
          checked={createCategories}
          label={offer.current}
          onChange={({ currentTarget: { checked } }) => {
            setCreateCategories(checked)
            check({ ...query, createCategories: checked })
          }}
        />
      )}
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
          <Button
            loading={state.step === 'checking'}
            disabled={isIncomplete}
            onClick={() => check(query)}
          >
            Check
          </Button>
        )}
        {state.step === 'checked' && (
          <Button
            disabled={state.report.rows === state.report.refused}
            onClick={() => start(query, state)}
          >
            {actionOf(state)}
          </Button>
        )}
      </Group>
    </Modal>
  )
}

/** What categories can be made, and for how many pets; '' for none. */
function offerOf(preview: Preview, matched: Matched, { report }: Result): string {
  const { newCategories: names, problems, storedAt } = report
  if (names.length === 0 || storedAt !== undefined) return ''
  const refused = new Set(problems.map(({ line }) => line))
  const made = names.length === 1 ? '1 new category' : `${formatCount(names.length)} new categories`
  const counted = names.slice(0, shownCategories).map((name) => {
    return `${name} (${formatCounted(countOfCategory(preview, matched, name, refused), 'pet')})`
  })
  if (names.length > shownCategories) counted.push('and so on')
  return `Make ${made}: ${counted.join(', ')}`
}

const shownCategories = 12

function actionOf({ report: { created, updated, storedAt } }: Result): string {
  const again = storedAt === undefined ? '' : ' again'
  if (updated > 0) return `Import ${formatCounted(created + updated, 'row')}${again}`
  return `Add ${formatCounted(created, 'pet')}${again}`
}

type PreviewProps = {
  preview: Preview
  matched: Matched
  match(index: number, member: Member | undefined): void
  isFixed: boolean
}

const shownRows = 5

function PreviewTable({ preview: { columns, rows }, matched, match, isFixed }: PreviewProps) {
  const choices = choicesFor(columns)
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
                  onChange={(value) => match(index, (value || undefined) as Member | undefined)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shownRows).map(({ line, cells }) => (
            <tr key={line}>
              {columns.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity
                <td key={index} data-ignored={matched[index] === undefined || undefined}>
                  <UserText text={cells[index] ?? ''} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type OutcomeProps = { state: ImportState; preview: Preview; matched: Matched }

function Outcome({ state, ...sheet }: OutcomeProps) {
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
          {formatCount(stored)} of {formatCounted(rows, 'row')} stored
        </span>
      </div>
    )
  }
  const problem = 'problem' in state ? state.problem : undefined
  return (
    <>
      {problem !== undefined && (
        <p role="alert" className={dialogs.wrong}>
          <Icon name="alert" /> {problem}
        </p>
      )}
      {'report' in state && <ImportReport {...state} {...sheet} isDone={state.step === 'done'} />}
    </>
  )
}
