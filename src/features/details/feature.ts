import { implement } from '../../http/implement.ts'
import { invalidBody, petHasNo } from '../refuse.ts'
import { getBy, listBy, writeBy } from '../verbs.ts'
import { describeLateBirth } from './born-on.ts'
import * as contract from './contract.ts'
import { detailsList, selectDetails } from './queries.ts'
import { detailsWrites } from './write-details.ts'

const replace = writeBy(detailsWrites.replace)

/** What a store tells about its pets. */
export const operations = [
  implement(contract.listDetailsOperation, listBy(detailsList)),
  implement(contract.getDetailsOperation, getBy(selectDetails, 'details', petHasNo)),
  implement(contract.replaceDetailsOperation, (context, input) => {
    const detail = describeLateBirth(input.body, context.clock())
    if (detail !== undefined) throw invalidBody([{ pointer: '/bornOn', detail }])
    return replace(context, input)
  }),
  implement(contract.deleteDetailsOperation, writeBy(detailsWrites.delete)),
]
