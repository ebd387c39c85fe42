import { Select, Textarea, TextInput } from '@mantine/core'
import type { PetDetails } from '../../../client/src/index.ts'
import { formatDay, formatPrice } from '../base/format.ts'
import type { FieldTools } from '../editor/record-editor.tsx'
import { Members } from '../editor/record-panel.tsx'
import { UserText } from '../shared/user-text.tsx'
import { type DetailsDraft, detailsLabels } from './pet-details.ts'

const sexes = [
  { value: 'female', label: 'Female' },
  { value: 'male', label: 'Male' },
]

/** The fields of what the store tells about a pet. */
export function DetailsFields<Draft extends DetailsDraft>(fields: FieldTools<Draft>) {
  const { draft, set, text, problems, isSaving } = fields
  return (
    <>
      <TextInput {...text('price')} placeholder="249.00 EUR" />
      <TextInput {...text('bornOn')} type="date" />
      <Select
        label={detailsLabels.sex}
        placeholder="Not told"
        value={draft.sex ?? null}
        error={problems.sex}
        onChange={(value) => set({ sex: value ?? undefined } as Partial<Draft>)}
        data={sexes}
        readOnly={isSaving}
        clearable
      />
      <TextInput {...text('tags')} placeholder="tame indoors" spellCheck={false} />
      <Textarea {...text('description')} autosize minRows={2} maxRows={8} />
    </>
  )
}

/** What the store tells about a pet, to read. */
export function DetailsMembers({ details = { petId: 0 } }: { details?: PetDetails | undefined }) {
  const { price, bornOn, sex, tags, description } = details
  return (
    <Members
      members={[
        [detailsLabels.price, price && formatPrice(price)],
        [detailsLabels.bornOn, bornOn && formatDay(bornOn)],
        [detailsLabels.sex, sex],
        [detailsLabels.tags, tags && <UserText key="tags" text={tags.join(' ')} isWhole />],
        [
          detailsLabels.description,
          description && <UserText key="description" text={description} isWhole />,
        ],
      ]}
    />
  )
}
