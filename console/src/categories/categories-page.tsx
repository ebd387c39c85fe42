import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Category } from '../../../client/src/generated/records.ts'
import type { Int64 } from '../../../client/src/operation.ts'
import { useShortcut } from '../frame/shortcuts.ts'
import { useMay } from '../session/session.ts'
import { Icon } from '../shared/icon.tsx'
import { parseId } from '../shared/int64-text.ts'
import { NameFilter } from '../shared/name-filter.tsx'
import { Notice } from '../shared/notice.tsx'
import { PageHead } from '../shared/page-head.tsx'
import { RecordTable } from '../table/record-table.tsx'
import classes from './categories-page.module.css'
import type { CategoriesSearch } from './categories-search.ts'
import { categoryColumns } from './category-columns.tsx'
import { CategoryEditor } from './category-editor.tsx'
import { useCategoryList } from './use-category-list.ts'
import { useDeleteCategory } from './use-delete-category.ts'

const group = 'Categories'
const onPhone = '(max-width: 48em)'
const rowHeights = { phone: 62, desk: 44 }

/** Finds, adds, edits and deletes categories. */
export function CategoriesPage() {
  const search: CategoriesSearch = useSearch({ from: '/categories' })
  const navigate = useNavigate({ from: '/categories' })
  const list = useCategoryList(search)
  const canWrite = useMay('pets:write')
  const isPhone = useMediaQuery(onPhone, false, { getInitialValueInEffect: false })
  const [chosenId, setActiveId] = useState<Int64>()
  const [edited, setEdited] = useState<Category | 'new'>()
  const remove = useDeleteCategory(list)
  const activeId = chosenId ?? (search.at === undefined ? undefined : parseId(search.at))
  const active = list.window.rows.find(({ record }) => record.id === activeId)?.record

  const setName = (name: string | undefined) => {
    setActiveId(undefined)
    void navigate({ search: name === undefined ? {} : { name }, replace: true })
  }
  const close = () => {
    setEdited(undefined)
    document.querySelector<HTMLElement>('[role="grid"]')?.focus()
  }
  const columns = useMemo(
    () => categoryColumns({ edit: setEdited, remove, canWrite }),
    [remove, canWrite],
  )

  const mayWrite = canWrite && edited === undefined
  const add = () => setEdited('new')
  const target = mayWrite ? active : undefined
  useShortcut(mayWrite ? { keys: 'n', label: 'Add a category', group, run: add } : undefined)
  useShortcut(
    target && { keys: 'e', label: 'Edit the category', group, run: () => setEdited(target) },
  )
  useShortcut(
    target && { keys: 'Delete', label: 'Delete the category', group, run: () => remove(target) },
  )

  const addButton = (
    <Button leftSection={<Icon name="plus" />} disabled={edited !== undefined} onClick={add}>
      Add a category
    </Button>
  )
  return (
    <>
      <PageHead title="Categories">{canWrite && addButton}</PageHead>
      <search className={classes.filters} aria-label="Filters">
        <NameFilter
          of="categories"
          className={classes.name}
          name={search.name ?? ''}
          setName={setName}
        />
      </search>
      <RecordTable
        label="Categories"
        list={list}
        columns={columns}
        rowHeight={isPhone ? rowHeights.phone : rowHeights.desk}
        headHeight={isPhone ? 0 : 40}
        className={classes.table}
        activeId={activeId}
        setActiveId={setActiveId}
        open={(category) => canWrite && setEdited(category)}
        empty={
          search.name === undefined ? (
            <Notice
              title="There are no categories yet"
              text="A category names a group of pets. Pets may also have the number of none."
              icon="tag"
            >
              {canWrite && <Button onClick={add}>Add the first category</Button>}
            </Notice>
          ) : (
            <Notice title="No category matches" text="Look for another name." icon="filter">
              <Button variant="default" onClick={() => setName(undefined)}>
                Show all categories
              </Button>
            </Notice>
          )
        }
        overlay={
          edited && {
            id: edited === 'new' ? undefined : edited.id,
            content: (
              <CategoryEditor
                key={edited === 'new' ? 'new' : String(edited.id)}
                category={edited === 'new' ? undefined : edited}
                close={close}
                saved={(category) => {
                  list.change({ type: 'insert', record: category, order: list.order })
                  setActiveId(category.id)
                }}
              />
            ),
          }
        }
      />
    </>
  )
}
