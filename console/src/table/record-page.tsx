import { Button } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import { parseId } from '../base/int64-text.ts'
import classes from '../filters/filters.module.css'
import { useAddress, useFilter } from '../filters/use-address.ts'
import { usePage } from '../shared/define-page.ts'
import { focusPage } from '../shared/focus-page.ts'
import { Icon, type IconName } from '../shared/icon.tsx'
import { Notice } from '../shared/notice.tsx'
import { PageHead } from '../shared/page-head.tsx'
import { type AddingVerb, addingLabel } from '../shared/record-words.ts'
import { useShortcuts } from '../shared/shortcuts.ts'
import { showToast } from '../shared/toasts.ts'
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
  const { about, kind, list, columns, filters, tools, add, open: how, choices, detail } = props
  const title = usePage().label
  const { activeId, active, activate } = useActiveRow(list)
  const { opened, openRecord, startAdding, ...opening } = useOpened(props, activate)
  const choice = useChoice(list, choices?.fetchAll)
  const table = useRef<TableHandle>(null)
  const open: RecordAction<T>[] =
    how === undefined || how === 'toRead' ? [] : [{ ...how, hint: openHint, run: openRecord }]
  const offer = { kind, actions: useBoundActions(list, [...open, ...(props.actions ?? [])]) }
  const isFree = opened === undefined

  // A shortcut does nothing to a row that is out of sight: the first press scrolls to it.
  const isInView = ({ id }: T) => table.current?.reveal(id) ?? false
  useShortcuts(title, [
    ...(active && isFree ? shortcutsOf(offer, active, isInView) : []),
    ...(add && isFree ? [{ keys: 'n', label: addingLabel(add, kind), run: startAdding }] : []),
  ])

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
      {choice && choice.records.length > 0 && choices?.bar(choice)}
      <ChoiceOffer value={choice && { kind, choice }}>
        <RecordTable
          ref={table}
          label={title}
          list={list}
          columns={columns}
          activeId={activeId}
          setActiveId={activate}
          open={(record) => how && openRecord(record)}
          choice={choice}
          empty={<NoRows {...props} startAdding={startAdding} />}
          overlay={opened && { id: opened.record?.id, content: detail(opened.record, opening) }}
        />
      </ChoiceOffer>
    </RecordActions>
  )
}

/** The active row is the one that was chosen, else that of the id in the address; another list has another one. */
function useActiveRow<T extends Identified>({ address, window: { rows } }: RecordList<T>) {
  const [at = ''] = useFilter('at')
  const [chosen, setChosen] = useState<{ address: string; id: Int64 }>()
  const activeId = chosen?.address === address ? chosen.id : parseId(at)
  return {
    activeId,
    active: rows.find(({ record }) => record.id === activeId)?.record,
    activate: (id: Int64) => setChosen({ address, id }),
  }
}

/** What is open in a page: a record, or a form for a new one. */
type Opening<T> = { record?: T }

/** Opens one record at a time. Another one takes its place once a form with typed text may be closed. */
function useOpened<T extends Identified>(
  { list, noMatch, isAddingFirst = false, onClose }: Props<T>,
  activate: (id: Int64) => void,
) {
  const [opened, setOpened] = useState<Opening<T> | undefined>(isAddingFirst ? {} : undefined)
  const [, setSearch] = useAddress<Record<string, string>>()
  const latest = useRef<Opening<T>>(undefined)
  useLayoutEffect(() => {
    latest.current = opened
    return () => {
      latest.current = undefined
    }
  }, [opened])

  return {
    opened,
    openRecord(record: T) {
      if (latest.current?.record?.id !== record.id) leaveForm(() => setOpened({ record }))
    },
    startAdding: () => setOpened({}),
    close() {
      setOpened(undefined)
      onClose?.()
      focusPage()
    },
    saved(record: T, sentence?: string) {
      // A form may have been left while it was saved.
      const isOpen = latest.current === opened
      const isShown = insert(list.window, record, list.order) !== list.window
      // Without the filters, which may exclude the record.
      const goTo = () => setSearch({ ...withoutFilters(noMatch), at: String(record.id) })
      list.insert(record)
      if (isOpen) activate(record.id)
      if (sentence !== undefined)
        showToast(sentence, isOpen && isShown ? undefined : { label: 'Show', run: goTo })
    },
  }
}

type NoRowsProps = Pick<Props<Identified>, 'kind' | 'add' | 'empty' | 'noMatch'> & {
  startAdding(): void
}

/** Says that none matches the filters, or that there is none at all, and what to do about it. */
function NoRows({ kind, add, empty, noMatch, startAdding }: NoRowsProps) {
  const title = usePage().label
  const [search, setSearch] = useAddress<Record<string, string>>()
  return noMatch?.filters.some((name) => search[name] !== undefined) ? (
    <Notice title={`No ${kind} matches`} text={noMatch.text} icon="filter">
      <Button variant="default" onClick={() => setSearch(withoutFilters(noMatch))}>
        Show {noMatch.all ?? `all ${title.toLowerCase()}`}
      </Button>
    </Notice>
  ) : (
    <Notice {...empty}>
      {add && <Button onClick={startAdding}>{`${add} the first ${kind}`}</Button>}
    </Notice>
  )
}

function withoutFilters(noMatch: NoMatch | undefined): Record<string, undefined> {
  return Object.fromEntries((noMatch?.filters ?? []).map((name) => [name, undefined]))
}
