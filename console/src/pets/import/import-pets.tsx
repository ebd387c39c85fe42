import { Button, Modal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { Icon } from '../../shared/icon.tsx'
import { ChooseFile } from './choose-file.tsx'
import { ImportDialog } from './import-dialog.tsx'
import classes from './import-pets.module.css'
import { type Preview, readPreview } from './preview.ts'

/** A button that imports a file, and the whole page, on which a file can be dropped. */
export function ImportPets() {
  const [isChoosing, setIsChoosing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [chosen, setChosen] = useState<{ file: File; preview: Preview }>()
  const isOver = useDroppedFile(open)

  function choose() {
    setProblem(undefined)
    setIsChoosing(true)
  }

  async function open(file: File | null) {
    if (!file) return
    const preview = await readPreview(file)
    setIsChoosing(preview === undefined)
    setChosen(preview && { file, preview })
    if (!preview)
      setProblem(
        `${file.name} is an Excel workbook: save it in Excel as CSV UTF-8, and import that.`,
      )
  }

  return (
    <>
      <Button variant="default" leftSection={<Icon name="upload" />} onClick={choose}>
        Import
      </Button>
      {isOver && (
        <div className={classes.over}>
          <strong>Drop the file to import its pets</strong>
        </div>
      )}
      {isChoosing && (
        <Modal
          opened
          onClose={() => setIsChoosing(false)}
          title={<strong>Import pets</strong>}
          size="lg"
        >
          <ChooseFile choose={open} problem={problem} />
        </Modal>
      )}
      {chosen && (
        <ImportDialog key={chosen.file.name} {...chosen} close={() => setChosen(undefined)} />
      )}
    </>
  )
}

/** Whether a file is held over the page. */
function useDroppedFile(open: (file: File | null) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  function take(event: DragEvent) {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    setIsOver(event.type === 'dragover')
    if (event.type === 'drop') open(event.dataTransfer.files[0] ?? null)
  }
  useWindowEvent('dragover', take)
  useWindowEvent('drop', take)
  useWindowEvent('dragleave', ({ relatedTarget }) => relatedTarget === null && setIsOver(false))
  return isOver
}
