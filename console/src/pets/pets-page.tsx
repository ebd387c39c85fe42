import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import type { Pet } from '../../../client/src/generated/records.ts'
import type { Int64 } from '../../../client/src/operation.ts'
import { useCategories } from '../api/categories.ts'
import { useShortcut } from '../frame/shortcuts.ts'
import { useMay } from '../session/session.ts'
import { copyText } from '../shared/copy-text.ts'
import { Icon } from '../shared/icon.tsx'
import { parseId } from '../shared/int64-text.ts'
import { Notice } from '../shared/notice.tsx'
import { PageHead } from '../shared/page-head.tsx'
import { RecordTable } from '../table/record-table.tsx'
import { petColumns } from './pet-columns.tsx'
import { PetCount } from './pet-count.tsx'
import { PetEditor } from './pet-editor.tsx'
import { PetFilters } from './pet-filters.tsx'
import classes from './pets-page.module.css'
import { type PetsSearch, readPetsSearch, type SearchChange } from './pets-search.ts'
import { usePets } from './use-pets.ts'
import { useWithdraw } from './use-withdraw.ts'

const group = 'Pets'
const onPhone = '(max-width: 48em)'
const rowHeights = { phone: 62, desk: 44 }

/** Finds, adds, edits and withdraws pets. */
export function PetsPage() {
  const search: PetsSearch = useSearch({ from: '/pets' })
  const navigate = useNavigate({ from: '/pets' })
  const pets = usePets(search)
  const categories = useCategories()
  const canWrite = useMay('pets:write')
  const isPhone = useMediaQuery(onPhone, false, { getInitialValueInEffect: false })
  const [chosenId, setActiveId] = useState<Int64>()
  const [edited, setEdited] = useState<Pet | 'new'>()
  const withdraw = useWithdraw(pets)
  const canOrder = useMay('orders:write')
  const order = useCallback(
    ({ id }: Pet) => void navigate({ to: '/orders', search: { place: String(id) } }),
    [navigate],
  )
  const activeId = chosenId ?? (search.at === undefined ? undefined : parseId(search.at))
  const active = pets.window.rows.find(({ record }) => record.id === activeId)?.record

  const setSearch = (changes: SearchChange) => {
    setActiveId(undefined)
    void navigate({
      search: readPetsSearch({ ...search, at: undefined, ...changes }),
      replace: true,
    })
  }
  const close = () => {
    setEdited(undefined)
    document.querySelector<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true })
  }
  const columns = useMemo(
    () => petColumns(categories, { edit: setEdited, withdraw, order, canWrite, canOrder }),
    [categories, withdraw, order, canWrite, canOrder],
  )

  const mayWrite = canWrite && edited === undefined
  const add = () => setEdited('new')
  useShortcut(mayWrite ? { keys: 'n', label: 'Add a pet', group, run: add } : undefined)
  const target = mayWrite ? active : undefined
  useShortcut(target && { keys: 'e', label: 'Edit the pet', group, run: () => setEdited(target) })
  useShortcut(
    target && { keys: 'Delete', label: 'Withdraw the pet', group, run: () => withdraw(target) },
  )
  const buyable = canOrder && edited === undefined && active?.status === 'available'
  useShortcut(
    active && buyable
      ? { keys: 'o', label: 'Order the pet', group, run: () => order(active) }
      : undefined,
  )
  useShortcut(
    active && {
      keys: 'c',
      label: 'Copy the id of the pet',
      group,
      run: () => void copyText(String(active.id), `The id ${active.id}`),
    },
  )

  return (
    <>
      <PageHead title="Pets" detail={<PetCount search={search} />}>
        {canWrite && (
          <Button leftSection={<Icon name="plus" />} disabled={edited !== undefined} onClick={add}>
            Add a pet
          </Button>
        )}
      </PageHead>
      <PetFilters search={search} setSearch={setSearch} categories={categories} />
      <RecordTable
        label="Pets"
        list={pets}
        columns={columns}
        rowHeight={isPhone ? rowHeights.phone : rowHeights.desk}
        headHeight={isPhone ? 0 : 40}
        className={classes.table}
        activeId={activeId}
        setActiveId={setActiveId}
        open={(pet) => canWrite && setEdited(pet)}
        empty={<NoPets search={search} setSearch={setSearch} add={canWrite ? add : undefined} />}
        overlay={
          edited && {
            id: edited === 'new' ? undefined : edited.id,
            content: (
              <PetEditor
                key={edited === 'new' ? 'new' : String(edited.id)}
                pet={edited === 'new' ? undefined : edited}
                categories={categories}
                close={close}
                withdraw={withdraw}
                saved={(pet) => {
                  pets.change({ type: 'put', record: pet })
                  setActiveId(pet.id)
                }}
              />
            ),
          }
        }
      />
    </>
  )
}

type NoPetsProps = {
  search: PetsSearch
  setSearch(changes: SearchChange): void
  add: (() => void) | undefined
}

/** In place of the list. */
function NoPets({ search, setSearch, add }: NoPetsProps) {
  const { status, category, name } = search
  const isFiltered = status !== undefined || category !== undefined || name !== undefined
  if (isFiltered) {
    const none = { status: undefined, category: undefined, name: undefined }
    return (
      <Notice
        title="No pet matches"
        text="Take a filter away, or look for another name."
        icon="filter"
      >
        <Button variant="default" onClick={() => setSearch(none)}>
          Show all pets
        </Button>
      </Notice>
    )
  }
  return (
    <Notice
      title="There are no pets yet"
      text="Pets that are added here or through the interface are listed here."
    >
      {add !== undefined && <Button onClick={add}>Add the first pet</Button>}
    </Notice>
  )
}
