import { Checkbox } from '@mantine/core'
import { createContext, useContext, useRef, useState } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import { describeError } from '../api/describe-error.ts'
import { showProblem } from '../shared/toasts.ts'
import type { RecordColumn } from './columns.ts'
import { type Identified, indexOf, type Row } from './record-window.ts'
import type { RecordList } from './use-record-list.ts'

/** The records of a list that are chosen, to do something to all of them at once. */
export type Choice<T extends Identified> = {
  records: readonly T[]
  has(id: Int64): boolean
  toggle(record: T): void
  /** Chooses all rows from the one that was chosen last to this one. */
  extendTo(record: T): void
  /** Whether all rows that are held are chosen. */
  isAllHeld: boolean
  /** Chooses all rows that are held, or none where they all are. */
  toggleHeld(): void
  /** Chooses all records that match, also those that are not held. */
  chooseAll(): void
  clear(): void
}

/** Another list, or other filters, begin without a choice. Without `fetchAll`, rows cannot be chosen. */
export function useChoice<T extends Identified>(
  list: RecordList<T>,
  fetchAll: (() => Promise<readonly T[]>) | undefined,
): Choice<T> | undefined {
  const { address } = list
  const [chosen, setChosen] = useState({ address, records: new Map<string, T>() })
  const last = useRef<Int64>(undefined)
  const { rows } = list.window
  const current = chosen.address === address ? chosen.records : new Map<string, T>()
  const set = (records: Map<string, T>) => setChosen({ address, records })
  const isThere = ({ mark }: Row<T>) => mark !== 'gone'
  const held = rows.filter(isThere).map(({ record }) => byId(record))
  const isAllHeld = held.length > 0 && held.every(([id]) => current.has(id))
  if (fetchAll === undefined) return undefined
  return {
    records: [...current.values()],
    has: (id) => current.has(String(id)),
    toggle(record) {
      const next = new Map(current)
      if (!next.delete(String(record.id))) next.set(String(record.id), record)
      last.current = record.id
      set(next)
    },
    extendTo(record) {
      const ends = [last.current ?? record.id, record.id].map((id) => indexOf(rows, id))
      const [from = 0, to = 0] = ends.sort((a, b) => a - b)
      const between = rows.slice(Math.max(0, from), to + 1).filter(isThere)
      last.current = record.id
      set(new Map([...current, ...between.map((row) => byId(row.record))]))
    },
    isAllHeld,
    toggleHeld: () => set(new Map(isAllHeld ? [] : [...current, ...held])),
    chooseAll() {
      fetchAll().then(
        (all) => set(new Map(all.map(byId))),
        (error) => showProblem(describeError(error)),
      )
    },
    clear: () => set(new Map()),
  }
}

function byId<T extends Identified>(record: T): [string, T] {
  return [String(record.id), record]
}

type Offer = { kind: string; choice: Choice<Identified> }

/** The choice of the list that the rows are in, where rows can be chosen. */
export const ChoiceOffer = createContext<Offer | undefined>(undefined)

/** The column of the boxes that choose rows; the first of a list. */
export function choiceColumn<T extends Identified>(): RecordColumn<T> {
  return {
    id: 'choice',
    header: 'Chosen',
    headCell: <HeadBox />,
    width: 'max-content',
    phone: 'choice',
    cell: ({ record, mark }) => mark !== 'gone' && <ChoiceBox record={record} />,
  }
}

function ChoiceBox({ record }: { record: Identified }) {
  const { kind, choice } = useContext(ChoiceOffer) ?? {}
  return (
    choice && (
      <Checkbox
        size="xs"
        tabIndex={-1}
        aria-label={`Choose ${kind} ${record.id}`}
        checked={choice.has(record.id)}
        readOnly
        onClick={(event) => {
          event.stopPropagation()
          if (event.shiftKey) choice.extendTo(record)
          else choice.toggle(record)
        }}
      />
    )
  )
}

/** Chooses all rows that are held. */
function HeadBox() {
  const { kind, choice } = useContext(ChoiceOffer) ?? {}
  return (
    choice && (
      <Checkbox
        size="xs"
        tabIndex={-1}
        aria-label={`Choose each ${kind} that is shown`}
        checked={choice.isAllHeld}
        indeterminate={!choice.isAllHeld && choice.records.length > 0}
        onChange={choice.toggleHeld}
      />
    )
  )
}
