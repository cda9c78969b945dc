import type { FallbackProps } from 'react-error-boundary'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** What is left when drawing the page itself went wrong. */
export function ErrorPage({ resetErrorBoundary }: FallbackProps) {
  return (
    <div className="flex h-full" role="alert">
      <Notice isPage title="Something went wrong">
        <Button look="line" className="mt-4" onClick={resetErrorBoundary}>
          Try again
        </Button>
      </Notice>
    </div>
  )
}
