import type { FallbackProps } from 'react-error-boundary'
import { Notice } from '../ui/feedback/notice.tsx'
import { Button } from '../ui/input/button.tsx'

/** Shown when rendering the page threw an error. */
export function ErrorPage({ resetErrorBoundary }: FallbackProps) {
  return (
    <div className="flex h-full" role="alert">
      <Notice isPage title="Something went wrong">
        <Button variant="line" className="mt-4" onClick={resetErrorBoundary}>
          Try again
        </Button>
      </Notice>
    </div>
  )
}
