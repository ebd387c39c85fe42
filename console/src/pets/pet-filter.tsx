import { useRef } from 'react'
import classes from '../filters/filters.module.css'
import { useFilter } from '../filters/use-address.ts'
import { usePage } from '../shared/define-page.ts'
import { focusPage } from '../shared/focus-page.ts'
import { useShortcuts } from '../shared/shortcuts.ts'
import { PetSelect } from './pet-select.tsx'

/** Limits a list to a pet. `name`: its parameter of the address; `at` begins the list at the pet. */
export function PetFilter({ name = 'pet' }: { name?: 'pet' | 'at' }) {
  const [value = '', set] = useFilter(name)
  const input = useRef<HTMLInputElement>(null)
  const find = { keys: '/', label: 'Find by the pet', run: () => input.current?.select() }
  useShortcuts(usePage().label, [find])
  return (
    <PetSelect
      ref={input}
      className={classes.pet}
      aria-label="Pet"
      value={value}
      onChange={(id) => {
        set(id || undefined)
        if (id !== '') focusPage()
      }}
      clearable
      clearButtonProps={{ 'aria-label': 'Any pet' }}
    />
  )
}
