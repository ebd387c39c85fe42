import type { Pet } from '../../../../client/src/index.ts'
import { UserText } from '../../shared/user-text.tsx'
import classes from './photo.module.css'
import { usePhoto, usePhotoUrl } from './photos.ts'

/** The name of a pet in a row, behind its photo. */
export function NameWithPhoto({ pet }: { pet: Pet }) {
  const url = usePhotoUrl(usePhoto(pet.id))
  return (
    <span className={classes.named}>
      {url && <img className={classes.thumbnail} src={url} alt="" />}
      <UserText text={pet.name} />
    </span>
  )
}
