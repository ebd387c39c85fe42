import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { OrderStatus } from '../../../client/src/generated/records.ts'
import { orderStatuses } from '../../../src/features/orders/order-status.ts'
import { JumpToId } from '../pets/jump-to-id.tsx'
import { Icon } from '../shared/icon.tsx'
import { orderLooks } from './order-statuses.ts'
import classes from './orders-page.module.css'
import type { OrdersSearch } from './orders-search.ts'

type Props = { search: OrdersSearch; setSearch(changes: Record<string, unknown>): void }

const typingMs = 200
const statuses = orderStatuses.map((value) => ({ value, label: orderLooks[value].label }))

/** The filters of the orders; they stand in the address. */
export function OrdersFilters({ search, setSearch }: Props) {
  const isOldestFirst = search.sort === 'id'
  return (
    <search className={classes.filters} aria-label="Filters">
      <Select
        className={classes.status}
        aria-label="Status"
        placeholder="Every status"
        value={search.status ?? null}
        onChange={(value) => setSearch({ status: (value as OrderStatus | null) ?? undefined })}
        data={statuses}
        clearable
        clearButtonProps={{ 'aria-label': 'Every status' }}
      />
      <TextFilter
        label="Pet id"
        value={search.pet ?? ''}
        isNumeric
        set={(pet) => setSearch({ pet })}
      />
      <TextFilter
        label="Reference"
        value={search.reference ?? ''}
        set={(reference) => setSearch({ reference })}
      />
      <Button
        variant="default"
        className={classes.quiet}
        aria-pressed={isOldestFirst}
        leftSection={<Icon name={isOldestFirst ? 'arrowUp' : 'arrowDown'} size={16} />}
        onClick={() => setSearch({ sort: isOldestFirst ? undefined : 'id' })}
      >
        {isOldestFirst ? 'Oldest first' : 'Newest first'}
      </Button>
      <JumpToId jump={(id) => setSearch({ at: String(id) })} />
    </search>
  )
}

type TextFilterProps = {
  label: string
  value: string
  isNumeric?: boolean
  set(value: string | undefined): void
}

/** A filter that acts as one types. */
function TextFilter({ label, value, isNumeric = false, set }: TextFilterProps) {
  const [typed, setTyped] = useState(value)
  const act = useDebouncedCallback((text: string) => set(text || undefined), typingMs)
  // The address may change by other means, such as the way back.
  useEffect(() => setTyped(value), [value])
  return (
    <TextInput
      className={classes.text}
      aria-label={label}
      placeholder={label}
      inputMode={isNumeric ? 'numeric' : undefined}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={({ currentTarget }) => {
        const text = isNumeric ? currentTarget.value.trim() : currentTarget.value
        setTyped(text)
        act(text)
      }}
    />
  )
}
