// The browser side of a guide.
import { addCopyButtons } from './copy.js'

addCopyButtons('.copied')
