import { createRoot } from 'react-dom/client'
import './theme/styles.ts'
import { followEvents } from './api/follow-events.ts'
import { environment } from './api/page-context.ts'
import { App } from './app.tsx'
import { PartError } from './shared/load-part.ts'

if (environment === 'staging') document.title = `[staging] ${document.title}`

followEvents()

const root = document.querySelector('#root')
if (root === null) throw new Error('index.html has no #root element.')
createRoot(root, {
  onCaughtError(error) {
    // The page says this.
    if (!(error instanceof PartError)) console.error(error)
  },
}).render(<App />)
