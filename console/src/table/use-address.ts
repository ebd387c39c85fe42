import { useNavigate, useSearch } from '@tanstack/react-router'

/** A page that shows a list; its address has the filters and, as `at`, the id that the list begins at. */
type ListPath = '/pets' | '/orders' | '/inventory' | '/categories'

/** What of an address is to be another; `undefined` takes a filter away. */
export type AddressChange<Search> = { [Name in keyof Search]?: Search[Name] | undefined }

/** What the address of a page says, as `read` reads it, and what changes that. */
export function useAddress<Search extends object>(
  path: ListPath,
  read: (address: Record<string, unknown>) => Search,
): [Search, (changes: AddressChange<Search>) => void] {
  const search = useSearch({ from: path }) as unknown as Search
  const navigate = useNavigate()
  const change = (changes: AddressChange<Search>) =>
    void navigate({
      to: path,
      search: ((previous: object) => read({ ...previous, at: undefined, ...changes })) as never,
      replace: true,
    })
  return [search, change]
}
