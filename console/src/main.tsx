import { createRoot } from 'react-dom/client'
import './theme/styles.ts'
import { environment } from './api/place.ts'
import { App } from './app.tsx'

if (environment === 'staging') document.title = `[staging] ${document.title}`

// A page of an older build asks for a part of it that is not there any more.
addEventListener('vite:preloadError', () => location.reload())

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no place for the console.')
createRoot(root).render(<App />)
