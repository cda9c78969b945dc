import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from 'react-error-boundary'
import { BrowserRouter } from 'react-router'
import { queryClient } from './api.ts'
import { App } from './app.tsx'
import { IdentityProvider } from './me.tsx'
import { ErrorPage } from './pages/error-page.tsx'
import { applyTheme, readTheme } from './theme.ts'
import './styles/base.css'

applyTheme(readTheme())

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <ErrorBoundary FallbackComponent={ErrorPage} onError={(error) => console.error('Uncaught render error:', error)}>
      <QueryClientProvider client={queryClient}>
        <BrowserRouter>
          <IdentityProvider>
            <App />
          </IdentityProvider>
        </BrowserRouter>
      </QueryClientProvider>
    </ErrorBoundary>
  </StrictMode>,
)
