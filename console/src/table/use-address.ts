import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePage } from '../shared/define-page.ts'

/** What of an address is to be another; `undefined` takes a filter away. */
export type AddressChange<Search> = { [Name in keyof Search]?: Search[Name] | undefined }

/** The filters in the address of the page, as `read` reads them, and what changes them. */
export function useAddress<Search extends object>(
  read: (address: Record<string, unknown>) => Search,
): [Search, (changes: AddressChange<Search>) => void] {
  const { path } = usePage()
  const search = read(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (changes: AddressChange<Search>) =>
    void navigate({
      to: path,
      search: ((previous: object) => read({ ...previous, at: undefined, ...changes })) as never,
      replace: true,
    })
  return [search, change]
}
