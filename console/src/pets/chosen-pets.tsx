import { Button, Group, Modal, Select } from '@mantine/core'
import { useState } from 'react'
import type { Pet } from '../../../client/src/index.ts'
import { petStatuses } from '../../../src/contract/pet-status.ts'
import { useCategories } from '../api/categories.ts'
import type { Count } from '../api/counts.ts'
import { formatCount, formatCounted } from '../base/format.ts'
import { parseId } from '../base/int64-text.ts'
import { useStore } from '../base/store.ts'
import { categoryOptions, filterCategories } from '../shared/category-options.ts'
import { Icon } from '../shared/icon.tsx'
import { UserText } from '../shared/user-text.tsx'
import type { Choice } from '../table/choice.tsx'
import { changePets, type PetsChange, refusedChanges } from './change-pets.ts'
import classes from './chosen-pets.module.css'
import { downloadPets } from './download-pets.ts'
import { petStatusOptions } from './pet-status.tsx'

type Props = {
  choice: Choice<Pet>
  /** How many match the filters. */
  total: Count | undefined
  canWrite: boolean
}

/** What can be done to the pets that are chosen. */
export function ChosenPets({ choice, total, canWrite }: Props) {
  const { records: pets, chooseAll, clear } = choice
  const change = (verb: string, done: string, change: PetsChange) => {
    changePets(pets, { verb, done, change })
    clear()
  }
  return (
    <section className={classes.bar} aria-label="Chosen pets">
      <strong aria-live="polite">{formatCounted(pets.length, 'pet')} chosen</strong>
      {total !== pets.length && (
        <Button size="xs" variant="light" onClick={chooseAll}>
          Choose all {typeof total === 'number' ? formatCount(total) : ''} that match
        </Button>
      )}
      <Group gap="xs">
        {canWrite && (
          <>
            <Select
              size="xs"
              aria-label="Status of the chosen pets"
              placeholder="Set the status"
              data={petStatusOptions}
              value={null}
              onOptionSubmit={(value) => {
                const status = petStatuses.find((status) => status === value)
                if (status) change(`Setting to ${status}:`, `${status}.`, { update: { status } })
              }}
            />
            <CategoryChoice
              choose={(categoryId, label) =>
                change('Moving', `moved to ${label}.`, { update: { categoryId } })
              }
            />
            <Button
              size="xs"
              variant="light"
              color="red"
              leftSection={<Icon name="trash" size={16} />}
              onClick={() => change('Withdrawing', 'withdrawn.', { delete: true })}
            >
              Withdraw
            </Button>
          </>
        )}
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => downloadPets({ ids: pets.map(({ id }) => id) })}
        >
          Export
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={clear}>
          Choose none
        </Button>
      </Group>
    </section>
  )
}

type CategoryProps = { choose(id: Pet['categoryId'], label: string): void }

function CategoryChoice({ choose }: CategoryProps) {
  const options = categoryOptions(useCategories())
  return (
    <Select
      size="xs"
      aria-label="Category of the chosen pets"
      placeholder="Set the category"
      data={options}
      filter={filterCategories}
      value={null}
      onOptionSubmit={(value) => {
        const id = parseId(value)
        const label = options.find((option) => option.value === value)?.label
        if (id !== undefined) choose(id, label ?? value)
      }}
      searchable
      limit={100}
    />
  )
}

/** Names the pets that could not be changed. */
export function RefusedPets() {
  const refused = useStore(refusedChanges)
  const [last, setLast] = useState(refused)
  // It keeps its text while it closes.
  if (refused !== undefined && refused !== last) setLast(refused)
  return (
    <Modal
      opened={refused !== undefined}
      onClose={() => refusedChanges.set(undefined)}
      title={<strong>{formatCounted(last?.pets.length ?? 0, 'pet')} refused</strong>}
      size="lg"
    >
      <p>{last?.title}: the others were changed.</p>
      <ul className={classes.refused}>
        {last?.pets.map(({ pet, reason }) => (
          <li key={String(pet.id)}>
            <strong>
              {String(pet.id)} <UserText text={pet.name} />
            </strong>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
