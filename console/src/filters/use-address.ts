import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePage } from '../shared/define-page.ts'

type Changes<Search> = { [Name in keyof Search]?: Search[Name] | undefined }

/** The parameters in the address of the page, and the function that changes them; `undefined` removes one. */
export function useAddress<Search extends object>(): [Search, (changes: Changes<Search>) => void] {
  const { path, readSearch } = usePage()
  const search = readSearch(useSearch({ strict: false })) as Search
  const navigate = useNavigate()
  const change = (changes: Changes<Search>) =>
    void navigate({
      to: path,
      search: ((last: object) => readSearch({ ...last, at: undefined, ...changes })) as never,
      replace: true,
    })
  return [search, change]
}

/** One parameter of the address, and the function that sets it. */
export function useFilter(
  name: string,
): [value: string | undefined, set: (value: string | undefined) => void] {
  const [search, change] = useAddress<Record<string, string>>()
  return [search[name], (value) => change({ [name]: value })]
}
