import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { t } from '../../../i18n/text.ts'

interface Props {
  /** A stored or a pending message. Another version of it is tried again. */
  message: object
  /** Of a stored one. */
  id?: string
  children: ReactNode
}

/** Shows a line instead of a message that can't be rendered, so that the others stay. */
export function RowBoundary({ message, id, children }: Props) {
  return (
    <ErrorBoundary
      resetKeys={[message]}
      onError={(error) => console.error('Failed to show a message:', error)}
      fallback={
        <article
          data-message={id}
          tabIndex={-1}
          className="message-row py-1 text-faint italic before:inline-block before:w-[calc(var(--avatar)+12px)] before:content-[''] focus-visible:-outline-offset-2"
        >
          {t('messages.row.broken')}
        </article>
      }
    >
      {children}
    </ErrorBoundary>
  )
}
