import { Button } from '@mantine/core'
import { useHasScope } from '../api/session.ts'
import { Icon } from '../shared/icon.tsx'
import { RefusedPets } from './chosen-pets.tsx'
import { downloadPets } from './download-pets.ts'
import { ImportPets } from './import/import-pets.tsx'
import { type PetSearch, petFilter } from './pet-list.ts'
import classes from './pet-tools.module.css'

/** Pets from a spreadsheet, and those that match as one. A phone has no room for them. */
export function PetTools({ search }: { search: PetSearch }) {
  const canWrite = useHasScope('pets:write')
  const exported = { ...petFilter(search), ...(search.sort && { sort: search.sort }) }
  return (
    <div className={classes.tools}>
      {canWrite && <ImportPets />}
      <Button
        variant="default"
        leftSection={<Icon name="download" />}
        onClick={() => downloadPets(exported)}
      >
        Export
      </Button>
      <RefusedPets />
    </div>
  )
}
