import type { Supplier } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { UserText } from '../shared/user-text.tsx'
import { idColumn } from '../table/cells.tsx'
import { RecordPage } from '../table/record-page.tsx'
import { useRecordList } from '../table/use-record-list.ts'

const cell = ({ record }: { record: Supplier }) => <UserText text={record.name} />
const columns = [
  idColumn<Supplier>('Id'),
  { id: 'name', header: 'Name', phone: 'title' as const, cell },
]
const empty = { title: 'There are no suppliers yet', text: 'POST /v1/suppliers adds one.' }
export function SuppliersPage() {
  const { list: fetch } = reader.suppliers
  const list = useRecordList<Supplier>({
    key: ['suppliers'],
    kinds: ['supplier'],
    order: 'id',
    fetch,
  })
  return (
    <RecordPage<Supplier>
      kind="supplier"
      list={list}
      columns={columns}
      empty={empty}
      detail={() => null}
    />
  )
}
