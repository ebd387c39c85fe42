import { Button, FileButton, Group, Textarea } from '@mantine/core'
import { Icon } from '../../shared/icon.tsx'
import { saveFile } from '../../shared/save-file.ts'

type Props = { choose(file: File | null): void; problem: string | undefined }

/** Says what a file may look like, and takes one, or rows from a spreadsheet. */
export function ChooseFile({ choose, problem }: Props) {
  return (
    <>
      <p>
        A file has a line of headings, then a line for each pet. <em>Name</em> (or Title, Pet),{' '}
        <em>Category</em> (or Kind, Type, Species) and <em>Status</em> (available, pending or sold)
        are known by their headings; other columns can be matched by hand, or left out. Save a
        spreadsheet as CSV in UTF-8; JSON is read too. For a day the same file is known again. If
        you change it after an import, its pets are added again: import only the rows that are new.
      </p>
      {problem !== undefined && (
        <p role="alert">
          <Icon name="alert" /> {problem}
        </p>
      )}
      <Textarea
        mt="md"
        rows={3}
        label="Rows from a spreadsheet"
        placeholder="Copy them with their headings, and paste them here"
        onPaste={({ clipboardData }) => {
          const text = clipboardData.getData('text/plain')
          if (text.trim() !== '') choose(new File([text], 'the pasted rows'))
        }}
      />
      <Group mt="lg" gap="sm" justify="flex-end">
        <Button
          variant="default"
          leftSection={<Icon name="download" />}
          onClick={() => saveFile('pets.csv', new Blob([template()], { type: 'text/csv' }))}
        >
          Save a template
        </Button>
        <FileButton onChange={choose} accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl,.xlsx,text/csv">
          {(props) => <Button {...props}>Choose a file</Button>}
        </FileButton>
      </Group>
    </>
  )
}

/** With the delimiter that spreadsheets of the reader's language expect, and a mark of UTF-8, which they keep. */
function template(): string {
  const delimiter = (1.5).toLocaleString().includes(',') ? ';' : ','
  const rows = [
    ['Name', 'Category', 'Status'],
    ['Bella', 'Dogs', 'available'],
    ['Milo', 'Cats', 'sold'],
  ]
  return `\ufeff${rows.map((row) => `${row.join(delimiter)}\r\n`).join('')}`
}
