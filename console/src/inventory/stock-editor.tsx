import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Version } from '../api/use-save.ts'
import { Conflict } from '../shared/conflict.tsx'
import { count } from '../shared/numbers.ts'
import { RecordForm } from '../shared/record-form.tsx'
import { say } from '../shared/toasts.ts'
import { UserText } from '../shared/user-text.tsx'
import { parseWholeNumber, wholeNumberHint } from '../shared/whole-number.ts'
import { type Stock, useSaveStock } from './use-inventory.ts'

type Props = { stock: Stock; close(): void; saved(stock: Stock): void }

/** Sets how many of a pet are in stock. What the service says is told at the field. */
export function StockEditor({ stock, close, saved }: Props) {
  const [typed, setTyped] = useState(String(stock.quantity))
  const [isNumber, setIsNumber] = useState(true)
  const { isSaving, problems, theirs, save, accept } = useSaveStock(stock)

  async function submit(over?: Version<Stock>) {
    const quantity = parseWholeNumber(typed)
    setIsNumber(quantity !== undefined)
    if (quantity === undefined) return
    const done = await save(quantity, over)
    if (done === undefined) return
    say(`Pet ${stock.id}: ${count(done.quantity)} in stock.`)
    saved({ ...stock, ...done })
    close()
  }

  const question = theirs && (
    <Conflict
      of="stock"
      members={[
        {
          label: 'In stock',
          mine: typed,
          theirs: String(theirs.record.quantity),
          differs: typed.trim() !== String(theirs.record.quantity),
        },
        {
          label: 'Status',
          mine: stock.status,
          theirs: theirs.record.status,
          differs: stock.status !== theirs.record.status,
        },
      ]}
      keepMine={() => void submit(theirs)}
      takeTheirs={() => {
        saved({ ...stock, ...theirs.record })
        close()
      }}
      edit={() => accept(theirs)}
    />
  )
  return (
    <RecordForm
      title="Set the stock"
      subject={{ of: 'pet', id: stock.id }}
      submitLabel="Save"
      isSaving={isSaving}
      problem={problems.whole}
      submit={() => void submit()}
      close={close}
      question={question}
    >
      <TextInput
        label="In stock"
        description="How many there are, with those that open orders hold."
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        error={isNumber ? problems.fields.quantity : wholeNumberHint}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        autoFocus
      />
      {stock.name !== undefined && <UserText text={stock.name} isWhole />}
    </RecordForm>
  )
}
