import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './theme/styles.ts'
import { followEvents } from './api/following.ts'
import { environment } from './api/page-context.ts'
import { queryClient } from './api/query-client.ts'
import { router } from './router.tsx'
import { watchFocus } from './shared/focus-page.ts'
import { SessionGate } from './sign-in/sign-in.tsx'
import { theme } from './theme/theme.ts'

if (environment === 'staging') document.title = `[staging] ${document.title}`

followEvents()
watchFocus()

const root = document.querySelector('#root')
if (root === null) throw new Error('index.html has no #root element.')
createRoot(root).render(<App />)

/** The whole console. */
function App() {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        withCssVariables={false}
        withStaticClasses={false}
        withGlobalClasses={false}
      >
        <QueryClientProvider client={queryClient}>
          <SessionGate>
            <RouterProvider router={router} />
          </SessionGate>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  )
}
