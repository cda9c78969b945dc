import type { FallbackProps } from 'react-error-boundary'
import { Notice } from '../ui/feedback/notice.tsx'
import { Button } from '../ui/input/button.tsx'

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
