import { Button, FileButton } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useEffect, useState } from 'react'
import type { Pet } from '../../../../client/src/index.ts'
import { client } from '../../api/client.ts'
import { describeError } from '../../api/describe-error.ts'
import { queryClient } from '../../api/query-client.ts'
import { Icon } from '../../shared/icon.tsx'
import cells from '../../table/cells.module.css'
import classes from './photo.module.css'
import { usePhoto, usePhotoUrl } from './photos.ts'
import { shrinkPicture } from './shrink-picture.ts'

type Props = { pet: Pet; canWrite: boolean }

/** The photo of a pet. Another one is dropped on it, pasted, chosen, or taken with the camera of a phone. */
export function PetPhoto({ pet, canWrite }: Props) {
  const photo = usePhoto(pet.id)
  const url = usePhotoUrl(photo)
  const {
    mutate: run,
    isPending: isSending,
    error,
  } = useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['photo', String(pet.id)] }),
  })
  const [isOver, setIsOver] = useState(false)
  const store = (file: Blob | null | undefined) => {
    if (file) run(async () => client.pets.photo.put(pet.id, await shrinkPicture(file)))
  }
  usePastedFile(canWrite && !isSending ? store : undefined)
  if (!canWrite && !photo) return null

  const over = (isNowOver: boolean) => (event: DragEvent) => {
    if (!canWrite || !event.dataTransfer.types.includes('Files')) return
    // The page takes other files.
    event.preventDefault()
    event.stopPropagation()
    setIsOver(isNowOver)
  }
  return (
    <section
      className={classes.photo}
      aria-label="Photo"
      aria-busy={isSending}
      data-over={isOver || undefined}
      onDragOver={over(true)}
      onDragLeave={over(false)}
      onDrop={(event) => {
        over(false)(event)
        if (canWrite) store(event.dataTransfer.files[0])
      }}
    >
      {url && <img src={url} alt={pet.name} />}
      {canWrite && (
        <div className={classes.buttons}>
          <FileButton onChange={store} accept="image/*">
            {(button) => (
              <Button
                {...button}
                variant="default"
                size="compact-sm"
                loading={isSending}
                leftSection={<Icon name="upload" />}
              >
                {photo ? 'Replace the photo' : 'Add a photo'}
              </Button>
            )}
          </FileButton>
          {photo && (
            <Button
              variant="default"
              size="compact-sm"
              disabled={isSending}
              leftSection={<Icon name="trash" />}
              onClick={() =>
                run(() => client.pets.photo.delete(pet.id, { ifMatch: `"${photo.digest}"` }))
              }
            >
              Delete the photo
            </Button>
          )}
          <span className={cells.quiet}>Drop or paste one here.</span>
        </div>
      )}
      {error && <p role="alert">{describeError(error)}</p>}
    </section>
  )
}

/** Calls with the file of a picture that is pasted anywhere on the page. */
function usePastedFile(take: ((file: Blob) => void) | undefined) {
  useEffect(() => {
    if (!take) return undefined
    const onPaste = ({ clipboardData }: ClipboardEvent) => {
      const file = [...(clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (file) take(file)
    }
    addEventListener('paste', onPaste)
    return () => removeEventListener('paste', onPaste)
  })
}
