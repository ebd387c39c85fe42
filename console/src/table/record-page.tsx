import { Button } from '@mantine/core'
import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import { describeError } from '../api/describe-error.ts'
import { parseId } from '../base/int64-text.ts'
import classes from '../filters/filters.module.css'
import { useAddress } from '../filters/use-address.ts'
import { copyText } from '../shared/copy-text.ts'
import { usePage } from '../shared/define-page.ts'
import { focusPage } from '../shared/focus-page.ts'
import { Icon, type IconName } from '../shared/icon.tsx'
import { Notice } from '../shared/notice.tsx'
import { PageHead } from '../shared/page-head.tsx'
import { type AddingVerb, addingLabel } from '../shared/record-words.ts'
import { useShortcuts } from '../shared/shortcuts.ts'
import { showProblem, showToast } from '../shared/toasts.ts'
import { leaveForm } from '../shared/unsaved.ts'
import { type Choice, ChoiceOffer, useChoice } from './choice.tsx'
import type { RecordColumn } from './columns.ts'
import {
  openHint,
  type RecordAction,
  RecordActions,
  shortcutsOf,
  useBoundActions,
} from './record-actions.tsx'
import { RecordTable, type TableHandle } from './record-table.tsx'
import { type Identified, insert } from './record-window.ts'
import type { RecordList } from './use-record-list.ts'

/** What a form or a detail does with the list that it lies in. */
export type Opened<T> = {
  close(): void
  /** Shows a record as it is saved, makes it the active one, and says what was done. */
  saved(record: T, sentence?: string): void
}

type Choices<T extends Identified> = {
  bar(choice: Choice<T>): ReactNode
  /** Fetches the records that match, to choose them all. */
  fetchAll(): Promise<readonly T[]>
}

/** `filters`: the parameters of the address that limit the list. `all`: what is listed without them, if not the page's label. */
type NoMatch = { filters: readonly string[]; text: string; all?: string }

type Props<T extends Identified> = {
  /** Beside the title, such as how many there are. */
  about?: ReactNode
  /** The kind of record, such as `pet`. */
  kind: string
  list: RecordList<T>
  columns: readonly RecordColumn<T>[]
  /** What limits and orders the list; all of it stands in the address. */
  filters?: ReactNode
  /** What can be done with the list as a whole. */
  tools?: ReactNode
  /** What is said where no record is shown: none is there at all, or none matches the filters. */
  empty: { title: string; text: string; icon?: IconName }
  noMatch?: NoMatch
  /** How adding a record is called, where that is possible. */
  add?: AddingVerb | undefined
  /** Adding begins with the page. */
  isAddingFirst?: boolean
  /** How a record is opened, where that is possible: to read it by its row alone, to change it also by a button there. */
  open?: 'toRead' | Omit<RecordAction<T>, 'run'> | undefined
  actions?: readonly RecordAction<T>[]
  /** Rows can be chosen: what can be done to all of them, shown while there are some. */
  choices?: Choices<T>
  /** The panel of a record, or of a new one: its form or its details. */
  detail(record: T | undefined, opened: Opened<T>): ReactNode
  onClose?(): void
}

/** A page of a list: its head, filters and rows, what can be done to a record, by mouse, finger and keys. */
export function RecordPage<T extends Identified>(props: Props<T>) {
  const { about, kind, list, columns, filters, tools, add, noMatch, detail, onClose } = props
  const { open: how, actions = [], isAddingFirst = false, choices } = props
  const title = usePage().label
  const [search, setSearch] = useAddress<Record<string, string>>()
  const noFilter = Object.fromEntries((noMatch?.filters ?? []).map((name) => [name, undefined]))
  const [chosen, setChosen] = useState<{ address: string; id: Int64 }>()
  const choice = useChoice(list)
  const chooseAll =
    choices &&
    (() =>
      void choices.fetchAll().then(choice.choose, (error) => showProblem(describeError(error))))
  const opening = useOpened<T>(isAddingFirst)
  const { opened, openRecord, startAdding } = opening
  // Another list, or another id to begin at, has another active row.
  const activeId = chosen?.address === list.address ? chosen.id : parseId(search.at ?? '')
  const active = list.window.rows.find(({ record }) => record.id === activeId)?.record
  const activate = (id: Int64) => setChosen({ address: list.address, id })

  function close() {
    opening.close()
    onClose?.()
    focusPage()
  }
  function saved(record: T, sentence?: string) {
    const isOpen = opening.isStillOpen()
    const isShown = insert(list.window, record, list.order) !== list.window
    // Without the filters, which may exclude the record.
    const goTo = () => setSearch({ ...noFilter, at: String(record.id) })
    list.change((window) => insert(window, record, list.order))
    if (isOpen) activate(record.id)
    if (sentence !== undefined)
      showToast(sentence, isOpen && isShown ? undefined : { label: 'Show', run: goTo })
  }

  const open: RecordAction<T>[] =
    how === undefined || how === 'toRead' ? [] : [{ ...how, hint: openHint, run: openRecord }]
  const offer = { kind, actions: useBoundActions(list, [...open, ...actions]) }
  const isFree = opened === undefined
  const table = useRef<TableHandle>(null)
  // A shortcut does nothing to a row that is out of sight: the first press scrolls to it.
  const mayRun = () => active !== undefined && (table.current?.reveal(active.id) ?? false)
  const shortcuts = [
    ...shortcutsOf(offer, isFree ? active : undefined).map(({ run, ...shortcut }) => ({
      ...shortcut,
      run: () => mayRun() && run(),
    })),
    ...(add && isFree ? [{ keys: 'n', label: addingLabel(add, kind), run: startAdding }] : []),
    ...(active
      ? [{ keys: 'c', label: `Copy the id of the ${kind}`, run: () => copyId(active) }]
      : []),
  ]
  useShortcuts(shortcuts.map((shortcut) => ({ ...shortcut, group: title })))

  return (
    <RecordActions value={offer}>
      <PageHead detail={about}>
        {tools}
        {add && (
          <Button leftSection={<Icon name="plus" />} disabled={!isFree} onClick={startAdding}>
            {addingLabel(add, kind)}
          </Button>
        )}
      </PageHead>
      {filters && (
        <search className={classes.filters} aria-label="Filters">
          {filters}
        </search>
      )}
      {choices && choice.records.length > 0 && choices.bar(choice)}
      <ChoiceOffer value={choices && { kind, choice }}>
        <RecordTable
          ref={table}
          label={title}
          list={list}
          columns={columns}
          activeId={activeId}
          setActiveId={activate}
          open={(record) => how && openRecord(record)}
          choice={choices && choice}
          chooseAll={chooseAll}
          empty={
            noMatch?.filters.some((name) => search[name] !== undefined) ? (
              <Notice title={`No ${kind} matches`} text={noMatch.text} icon="filter">
                <Button variant="default" onClick={() => setSearch(noFilter)}>
                  Show {noMatch.all ?? `all ${title.toLowerCase()}`}
                </Button>
              </Notice>
            ) : (
              <Notice {...props.empty}>
                {add && <Button onClick={startAdding}>{`${add} the first ${kind}`}</Button>}
              </Notice>
            )
          }
          overlay={
            opened && {
              id: opened.record?.id,
              content: (
                <Fragment key={opened.record === undefined ? 'new' : String(opened.record.id)}>
                  {detail(opened.record, { close, saved })}
                </Fragment>
              ),
            }
          }
        />
      </ChoiceOffer>
    </RecordActions>
  )
}

/** What is open in a page: a record, or a form for a new one. */
type Opening<T> = { record?: T }

/** Opens one record at a time. Another one takes its place once a form with typed text may be closed. */
function useOpened<T extends Identified>(isAddingFirst: boolean) {
  const [opened, setOpened] = useState<Opening<T> | undefined>(isAddingFirst ? {} : undefined)
  const shown = useRef<Opening<T>>(undefined)
  useLayoutEffect(() => {
    shown.current = opened
    return () => {
      shown.current = undefined
    }
  }, [opened])

  return {
    opened,
    openRecord(record: T) {
      if (shown.current?.record?.id !== record.id) leaveForm(() => setOpened({ record }))
    },
    startAdding: () => setOpened({}),
    close: () => setOpened(undefined),
    /** Whether what was open in this render still is: a form may have been left while it was saved. */
    isStillOpen: () => shown.current === opened,
  }
}

function copyId({ id }: Identified): void {
  void copyText(String(id), `Id ${id}`)
}
