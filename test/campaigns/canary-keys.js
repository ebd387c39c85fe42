// Loaded in front of each process of `npm run test:canaries`: each key begins with the same known text, and what is removed is
// kept in the folder CANARY_KEPT.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const { CANARY_TEXT: text = '', CANARY_KEPT: kept = '' } = process.env
const canary = Buffer.from([...text].map((character) => alphabet.indexOf(character)))
const { getRandomValues } = Crypto.prototype
const { rmSync, unlinkSync } = fs
let removed = 0

Crypto.prototype.getRandomValues = function (array) {
  getRandomValues.call(this, array)
  if (array.length === 32) array.set(canary)
  return array
}
fs.rmSync = (path, options) => keep(path) || rmSync(path, options)
fs.unlinkSync = (path) => keep(path) || unlinkSync(path)
fs.promises.rm = async (path, options) => void fs.rmSync(path, options)
syncBuiltinESMExports()

/** Whether there was something to keep, which can be moved. */
function keep(path) {
  try {
    fs.renameSync(path, join(kept, `${process.pid}-${removed++}-${String(path).split('/').at(-1)}`))
    return true
  } catch {
    return false
  }
}
