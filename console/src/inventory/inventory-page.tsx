import { useHasScope } from '../api/session.ts'
import { RecordPage } from '../table/record-page.tsx'
import { useAddress } from '../table/use-address.ts'
import { namelessStockColumns, stockColumns } from './stock-columns.tsx'
import { StockFilters } from './stock-filters.tsx'
import { StockForm } from './stock-form.tsx'
import { type Stock, useStockList } from './stock-list.ts'
import { readStockSearch } from './stock-search.ts'

const setStock = {
  label: 'Set the stock',
  phrase: 'Set the stock of',
  icon: 'edit',
  shortcut: 'e',
} as const

/** Shows and sets how many of each pet are in stock. */
export default function InventoryPage() {
  const [search, setSearch] = useAddress(readStockSearch)
  const list = useStockList(search)
  const canWrite = useHasScope('inventory:write')
  return (
    <RecordPage<Stock>
      kind="pet"
      about="Units on hand of each pet with a status"
      list={list}
      at={search.at}
      columns={useHasScope('pets:read') ? stockColumns : namelessStockColumns}
      filters={<StockFilters search={search} setSearch={setSearch} />}
      empty={{
        title: 'The inventory is empty',
        text: 'A pet is listed here once it has a status.',
        icon: 'box',
      }}
      noMatch={
        search.status === undefined
          ? undefined
          : {
              title: 'No pet matches',
              text: 'Remove the filter.',
              showAll: 'Show the whole inventory',
              clear: () => setSearch({ status: undefined }),
            }
      }
      open={canWrite ? setStock : undefined}
      goTo={(id) => setSearch({ status: undefined, at: String(id) })}
      detail={(stock, opened) => stock && <StockForm stock={stock} {...opened} />}
    />
  )
}
