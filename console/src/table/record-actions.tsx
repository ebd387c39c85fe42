import { ActionIcon, Button, Group } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { createContext, type MouseEvent, useContext, useRef } from 'react'
import type { Int64, Scope } from '../../../client/src/index.ts'
import { useSession } from '../api/session.ts'
import { useStore } from '../base/store.ts'
import { delayedActions } from '../shared/delayed-actions.ts'
import { Icon, type IconName } from '../shared/icon.tsx'
import { leaveForm } from '../shared/unsaved.ts'
import type { RecordColumn } from './columns.ts'
import classes from './record-actions.module.css'
import type { Identified, Row } from './record-window.ts'
import type { RecordList } from './use-record-list.ts'

/** What can be done to a record of a list: a button in its row, and a key for the active row. */
export type RecordAction<T> = {
  /** Such as `Ship`. */
  label: string
  /** In front of the record, where that is not the label: `Set the stock of`. */
  phrase?: string
  /** The button shows it in place of the label. */
  icon?: IconName
  /** The button is less conspicuous than others. */
  isQuiet?: boolean
  /** For the active row. */
  shortcut: string
  /** The key that the button names, where that is another one. */
  hint?: string
  /** The scope that the API key needs. */
  scope?: Scope
  isOffered?(record: T): boolean
  run(record: T, tools: ActionTools<T>): void
}

export type ActionTools<T> = {
  /** Shows the result in the list; may be called at any later time. */
  put(record: T): void
  markGone(id: Int64): void
  navigate: ReturnType<typeof useNavigate>
}

/** An action of which `run` needs only the record. */
type BoundAction<T> = Omit<RecordAction<T>, 'run' | 'scope'> & { run(record: T): void }

type Offer<T> = {
  /** Such as `pet`. */
  kind: string
  actions: readonly BoundAction<T>[]
}

/** The actions of a list that the key of the session may do. */
export function useBoundActions<T extends Identified>(
  list: RecordList<T>,
  actions: readonly RecordAction<T>[],
): readonly BoundAction<T>[] {
  const scopes = useSession()?.scopes ?? []
  const navigate = useNavigate()
  const latest = useRef(list)
  latest.current = list
  const tools: ActionTools<T> = {
    navigate,
    put: (record) => latest.current.put(record),
    markGone: (id) => latest.current.markGone(id),
  }
  return actions
    .filter(({ scope }) => scope === undefined || scopes.includes(scope))
    .map(({ run, ...action }) => ({ ...action, run: (record) => run(record, tools) }))
}

/** The actions of the list that the rows are in. */
export const RecordActions = createContext<Offer<Identified>>({ kind: '', actions: [] })

/** The column of the buttons; the last of a list. */
export function actionsColumn<T extends Identified>(phone?: 'side'): RecordColumn<T> {
  return {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    width: 'max-content',
    ...(phone === undefined ? {} : { phone }),
    cell: (row) => <RowActions row={row} />,
  }
}

function RowActions({ row: { record, mark } }: { row: Row<Identified> }) {
  if (mark === 'gone') return null
  return (
    <Group gap="0.25rem" justify="flex-end" wrap="nowrap">
      <ActionButtons record={record} isInGrid />
    </Group>
  )
}

type ButtonsProps = {
  record: Identified
  /** Within a grid the keys are those of the grid. */
  isInGrid?: boolean
}

/** A button for each action that is possible: none while one of them waits to be undone. */
export function ActionButtons({ record, isInGrid = false }: ButtonsProps) {
  const { kind, actions } = useContext(RecordActions)
  const isWaiting = useStore(delayedActions).some(({ id }) => id === `${kind} ${record.id}`)
  const possible = isWaiting ? [] : offered(actions, record)
  // A second click on Ship, or one on Cancel while somebody else ships, must not hit the Deliver that took its place.
  const labels = possible.map(({ label }) => label).join()
  const isSettled = useDebouncedValue(labels, aimMs)[0] === labels
  return possible.map((action) => {
    const { label, phrase = label, icon, isQuiet = false, hint, shortcut } = action
    const shared = {
      'aria-label': `${phrase} ${kind} ${record.id}`,
      disabled: !isSettled,
      onClick(event: MouseEvent) {
        event.stopPropagation()
        action.run(record)
      },
      ...(isInGrid ? { tabIndex: -1 } : {}),
    }
    // The keys are off while the record is open.
    const title = isInGrid ? `${label} (${keyNames[hint ?? shortcut] ?? hint ?? shortcut})` : label
    return icon === undefined || !isInGrid ? (
      <Button
        key={label}
        size="compact-sm"
        variant={isQuiet ? 'subtle' : 'light'}
        {...(isQuiet ? { color: 'gray' } : {})}
        title={title}
        {...shared}
      >
        {label}
      </Button>
    ) : (
      <ActionIcon
        key={label}
        className={classes.icon}
        variant="subtle"
        color="gray"
        data-name={title}
        {...shared}
      >
        <Icon name={icon} />
      </ActionIcon>
    )
  })
}

/** Ignore clicks this soon after the buttons change. */
const aimMs = 600

type FormActionsProps = { record: Identified; close(): void }

/** What else can be done to the record of a form: on a phone its row has no buttons. */
export function FormActions({ record, close }: FormActionsProps) {
  const { actions } = useContext(RecordActions)
  const others = actions.filter(({ hint }) => hint !== openHint)
  return offered(others, record).map(({ label, icon, run }) => (
    <Button
      key={label}
      variant="subtle"
      {...(icon === 'trash' ? { color: 'red' } : {})}
      {...(icon === undefined ? {} : { leftSection: <Icon name={icon} size={16} /> })}
      onClick={() =>
        leaveForm(() => {
          close()
          run(record)
        })
      }
    >
      {label}
    </Button>
  ))
}

/** The key that opens a row. */
export const openHint = 'Enter'

/** How records that can be edited are opened. */
export const edit = { label: 'Edit', icon: 'edit', shortcut: 'e' } as const

const keyNames: Record<string, string> = { Delete: 'Del' }

/** The keys of the actions that are possible for the active row; `mayRun` is asked at each press. */
export function shortcutsOf<T>(
  { kind, actions }: Offer<T>,
  target: T,
  mayRun: (target: T) => boolean,
) {
  return offered(actions, target).map(({ label, phrase = label, shortcut, run }) => ({
    keys: shortcut,
    label: `${phrase} the ${kind}`,
    run: () => mayRun(target) && run(target),
  }))
}

function offered<T>(actions: readonly BoundAction<T>[], record: T): readonly BoundAction<T>[] {
  return actions.filter(({ isOffered }) => isOffered?.(record) ?? true)
}
