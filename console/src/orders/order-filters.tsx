import type { OrderStatus } from '../../../client/src/generated/records.ts'
import { orderStatuses } from '../../../src/features/sales/order-status.ts'
import { ChoiceFilter } from '../filters/choice-filter.tsx'
import { Filters } from '../filters/filters.tsx'
import { JumpToId } from '../filters/jump-to-id.tsx'
import { SortButton } from '../filters/sort-button.tsx'
import { TextFilter } from '../filters/text-filter.tsx'
import type { AddressChange } from '../table/use-address.ts'
import type { OrderSearch } from './order-search.ts'
import { orderStatusBadges } from './order-statuses.ts'

type Props = { search: OrderSearch; setSearch(changes: AddressChange<OrderSearch>): void }

/** The longest reference of an order, in code points. */
const referenceMax = 200
const statuses = orderStatuses.map((value) => ({ value, label: orderStatusBadges[value].label }))

export function OrderFilters({ search, setSearch }: Props) {
  const { status, pet = '', reference = '', sort } = search
  return (
    <Filters>
      <ChoiceFilter
        label="Status"
        everything="Any status"
        value={status}
        options={statuses}
        set={(status) => setSearch({ status: status as OrderStatus | undefined })}
      />
      <TextFilter label="Pet id" value={pet} isId set={(pet) => setSearch({ pet })} />
      <TextFilter
        label="Reference"
        value={reference}
        lengthMax={referenceMax}
        set={(reference) => setSearch({ reference })}
      />
      <SortButton
        isNewestFirst={sort !== 'id'}
        setNewestFirst={(isFirst) => setSearch({ sort: isFirst ? undefined : 'id' })}
      />
      <JumpToId group="Orders" jump={(id) => setSearch({ at: String(id) })} />
    </Filters>
  )
}
