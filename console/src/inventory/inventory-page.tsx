import { Button, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Int64 } from '../../../client/src/operation.ts'
import { petStatuses } from '../../../src/features/pets/pet-status.ts'
import { useShortcut } from '../frame/shortcuts.ts'
import { JumpToId } from '../pets/jump-to-id.tsx'
import { statusLooks } from '../pets/pet-statuses.ts'
import { useMay } from '../session/session.ts'
import { parseId } from '../shared/int64-text.ts'
import { Notice } from '../shared/notice.tsx'
import { PageHead } from '../shared/page-head.tsx'
import { RecordTable } from '../table/record-table.tsx'
import classes from './inventory-page.module.css'
import { type InventorySearch, readInventorySearch } from './inventory-search.ts'
import { stockColumns } from './stock-columns.tsx'
import { StockEditor } from './stock-editor.tsx'
import { type Stock, useInventory } from './use-inventory.ts'

const onPhone = '(max-width: 48em)'
const rowHeights = { phone: 62, desk: 44 }

/** Shows and sets how many of each pet are in stock. */
export function InventoryPage() {
  const search: InventorySearch = useSearch({ from: '/inventory' })
  const navigate = useNavigate({ from: '/inventory' })
  const list = useInventory(search)
  const canWrite = useMay('inventory:write')
  const canReadPets = useMay('pets:read')
  const isPhone = useMediaQuery(onPhone, false, { getInitialValueInEffect: false })
  const [chosenId, setActiveId] = useState<Int64>()
  const [edited, setEdited] = useState<Stock>()
  const activeId = chosenId ?? (search.at === undefined ? undefined : parseId(search.at))
  const active = list.window.rows.find(({ record }) => record.id === activeId)?.record

  const setSearch = (changes: Record<string, unknown>) => {
    setActiveId(undefined)
    void navigate({
      search: readInventorySearch({ ...search, at: undefined, ...changes }),
      replace: true,
    })
  }
  const close = () => {
    setEdited(undefined)
    document.querySelector<HTMLElement>('[role="grid"]')?.focus()
  }
  const columns = useMemo(
    () => stockColumns({ edit: setEdited, canWrite, canReadPets }),
    [canWrite, canReadPets],
  )
  useShortcut(
    canWrite && active && edited === undefined
      ? {
          keys: 'e',
          label: 'Set the stock',
          group: 'Inventory',
          run: () => setEdited(active),
        }
      : undefined,
  )

  const statuses = petStatuses.map((value) => ({ value, label: statusLooks[value].label }))
  return (
    <>
      <PageHead title="Inventory" detail="Pets that have a status, and how many there are" />
      <search className={classes.filters} aria-label="Filters">
        <SegmentedControl
          aria-label="Status"
          value={search.status ?? 'all'}
          onChange={(value) => setSearch({ status: value === 'all' ? undefined : value })}
          data={[{ value: 'all', label: 'All' }, ...statuses]}
        />
        <JumpToId jump={(id) => setSearch({ at: String(id) })} />
      </search>
      <RecordTable
        label="Inventory"
        list={list}
        columns={columns}
        rowHeight={isPhone ? rowHeights.phone : rowHeights.desk}
        headHeight={isPhone ? 0 : 40}
        className={classes.table}
        activeId={activeId}
        setActiveId={setActiveId}
        open={(stock) => canWrite && setEdited(stock)}
        empty={
          search.status === undefined ? (
            <Notice
              title="Nothing is in the inventory"
              text="A pet is listed here once it has a status."
              icon="box"
            />
          ) : (
            <Notice title="No pet matches" text="Take the filter away." icon="filter">
              <Button variant="default" onClick={() => setSearch({ status: undefined })}>
                Show the whole inventory
              </Button>
            </Notice>
          )
        }
        overlay={
          edited && {
            id: edited.id,
            content: (
              <StockEditor
                key={String(edited.id)}
                stock={edited}
                close={close}
                saved={(stock) => {
                  list.change({ type: 'put', record: stock })
                  setActiveId(stock.id)
                }}
              />
            ),
          }
        }
      />
    </>
  )
}
