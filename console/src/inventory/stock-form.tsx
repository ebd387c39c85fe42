import { TextInput } from '@mantine/core'
import type { InventoryChange } from '../../../client/src/index.ts'
import { client, reader } from '../api/client.ts'
import { formatCount } from '../base/format.ts'
import { parseWholeNumber, wholeNumberHint } from '../base/whole-number.ts'
import { RecordEditor } from '../editor/record-editor.tsx'
import type { Saver } from '../editor/saver.ts'
import { UserText } from '../shared/user-text.tsx'
import type { Opened } from '../table/record-page.tsx'
import { type Stock, stockOf } from './stock-list.ts'

/** A stock as it is being typed. */
type StockDraft = { quantity: string }

const saver: Saver<Stock, StockDraft, object, InventoryChange> = {
  kind: 'stock',
  labels: { quantity: 'In stock' },
  mistakesIn: ({ quantity }): Record<string, string> =>
    parseWholeNumber(quantity) === undefined ? { quantity: wholeNumberHint } : {},
  bodyOf: ({ quantity }) => ({ quantity: parseWholeNumber(quantity) }),
  changing: {
    verb: 'Set',
    done: ({ id, quantity }) => `Pet ${id}: ${formatCount(quantity)} in stock.`,
    draftOf,
    async fetchVersion(petId) {
      const call = reader.inventory.get(petId)
      const { data, etag } = await call.withResponse()
      return { record: stockOf(data), etag }
    },
    send: async (petId, change, options) =>
      stockOf(await client.inventory.update(petId, change, options)),
  },
}

/** Sets how many of a pet are in stock. */
export function StockForm({ stock, close, saved }: Opened<Stock> & { stock: Stock }) {
  return (
    <RecordEditor
      saver={saver}
      idOf="pet"
      record={stock}
      draft={draftOf(stock)}
      saved={(now, sentence) => saved({ ...stock, ...now }, sentence)}
      close={close}
    >
      {({ text }) => (
        <>
          <TextInput
            description="Units on hand, including those that open orders hold"
            inputMode="numeric"
            autoComplete="off"
            {...text('quantity')}
            onFocus={({ currentTarget }) => currentTarget.select()}
            autoFocus
          />
          {stock.petName !== undefined && <UserText text={stock.petName} isWhole />}
        </>
      )}
    </RecordEditor>
  )
}

function draftOf({ quantity }: Stock): StockDraft {
  return { quantity: String(quantity) }
}
