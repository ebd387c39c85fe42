import { implement } from '../../http/implement.ts'
import { createBy, getBy, listBy, writeBy } from '../verbs.ts'
import * as contract from './contract.ts'
import * as stored from './storage.ts'
export const operations = [
  implement(contract.list, listBy(stored.list)),
  implement(contract.get, getBy(stored.select, 'supplier')),
  implement(contract.create, createBy(stored.insert)),
  implement(contract.update, writeBy(stored.update)),
]
