import { createSpotlight, Spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { parseId } from '../base/int64-text.ts'
import { PetLine, useFoundPets } from '../pets/pet-select.tsx'
import { returnFocus } from '../shared/focus-page.ts'
import { Icon, type IconName } from '../shared/icon.tsx'
import { type Shortcut, useOfferedShortcuts } from '../shared/shortcuts.ts'
import { Kbd } from './kbd.tsx'

const [store, palette] = createSpotlight()

let focusedBefore: Element | null = null

export function openPalette(): void {
  focusedBefore = document.activeElement
  palette.open()
}

type Action = { id: string; label: string; icon: IconName; keys?: string; run(): void }

/** Finds pets, runs commands, and names the keys of those. */
export function Palette() {
  const [query, setQuery] = useState('')
  const shortcuts = useOfferedShortcuts()
  const searches = useSearches(query.trim())
  const pets = useFoundPets(query)
  const navigate = useNavigate()
  const commands = shortcuts.filter(
    ({ keys, label }) => !['mod+k', '?'].includes(keys) && matches(label, query),
  )

  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      scrollable
      // For who hears it alone.
      title="Search and commands"
      // Its own way back would lead to the field below, which has the focus with the first frame, before anything is typed.
      returnFocus={false}
      onSpotlightClose={() => returnFocus(focusedBefore)}
      classNames={{ header: 'only-heard' }}
      maxHeight={420}
      yOffset="14vh"
      overlayProps={{ blur: 0, backgroundOpacity: 0.45 }}
    >
      <Spotlight.Search
        autoFocus
        placeholder="Find a pet by name or id, or run a command"
        aria-label="Find a pet by name or id, or run a command"
        leftSection={<Icon name="search" />}
      />
      <Spotlight.ActionsList>
        {[...commands.map(actionOf), ...searches].map(({ id, label, icon, keys, run }) => (
          <Spotlight.Action
            key={id}
            label={label}
            onClick={run}
            leftSection={<Icon name={icon} />}
            rightSection={keys === undefined ? undefined : <Kbd keys={keys} />}
          />
        ))}
        {pets.map((pet) => (
          <Spotlight.Action
            key={`pet ${pet.id}`}
            onClick={() => void navigate({ to: '/pets', search: { at: String(pet.id) } })}
          >
            <PetLine pet={pet} />
          </Spotlight.Action>
        ))}
        {searches.length + commands.length === 0 && (
          <Spotlight.Empty>Nothing is called that.</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

function useSearches(query: string): Action[] {
  const navigate = useNavigate()
  if (query === '') return []
  const id = parseId(query)
  const byName: Action = {
    id: 'find',
    label: `Find pets named “${query}”`,
    icon: 'search',
    run: () => void navigate({ to: '/pets', search: { words: query } }),
  }
  if (id === undefined) return [byName]
  const lead = (to: '/pets' | '/orders', kind: string): Action => ({
    id: `go to ${kind}`,
    label: `Go to ${kind} ${id}`,
    icon: 'hash',
    run: () => void navigate({ to, search: { at: String(id) } }),
  })
  return [lead('/pets', 'pet'), lead('/orders', 'order'), byName]
}

function actionOf({ keys, label, run }: Shortcut): Action {
  return {
    id: `${keys} ${label}`,
    label,
    icon: keys.startsWith('g ') ? 'arrowDown' : 'bolt',
    keys,
    run,
  }
}

function matches(label: string, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/)
  return words.every((word) => label.toLowerCase().includes(word))
}
