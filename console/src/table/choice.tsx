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
    isHeaderHidden: true,
    width: '1.25rem',
    cell: ({ record, mark }) => mark !== 'gone' && <ChoiceBox record={record} />,
  }
}

function ChoiceBox({ record }: { record: Identified }) {
  const offer = useContext(ChoiceOffer)
  if (offer === undefined) return null
  const { kind, choice } = offer
  return (
    <Checkbox
      size="xs"
      tabIndex={-1}
      aria-label={`Choose ${kind} ${record.id}`}
      checked={choice.has(record.id)}
      readOnly
      onDoubleClick={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation()
        if (event.shiftKey) choice.extendTo(record)
        else choice.toggle(record)
      }}
    />
  )
}
