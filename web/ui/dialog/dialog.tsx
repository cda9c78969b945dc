import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, SubmitEvent } from 'react'
import { t } from '../../i18n/text.ts'
import { useBackCloses } from '../device/back-closes.ts'
import { Button } from '../input/button.tsx'
import { IconButton } from '../input/icon-button.tsx'
import { useFadeOut } from './fade-out.ts'
import { useFocusBack } from './focus-back.ts'

interface Props {
  title: string
  /** 480 px, 780 px for two columns, 980 px for a grid. */
  width?: keyof typeof widths
  /** A short question: on a phone it stays a card, at the bottom. */
  isQuestion?: boolean
  /** The primary button: below, after 'Cancel', or on a phone in the header. */
  action?: ReactNode
  /** Makes the dialog a form. */
  onSubmit?: (event: SubmitEvent) => void
  /** By default `onClose`; differs if closing keeps something that cancelling discards. */
  onCancel?: () => void
  /** Shown before the close button, or on a phone in place of the action. */
  tools?: ReactNode
  /** By default the theme of the page. */
  theme?: 'dark' | undefined
  /** Ends in a list that may be long. */
  hasList?: boolean
  onClose: () => void
  children: ReactNode
}

const widths = {
  m: 'w-[min(480px,100%-32px)]',
  l: 'w-[min(780px,100%-32px)]',
  xl: 'w-[min(980px,100%-32px)]',
}

const card = 'rounded-xl shadow-modal'
const floats = 'fixed inset-x-0 top-[12vh] mx-auto max-h-[min(80dvh,calc(86dvh-var(--keyboard,0px)))] flex flex-col'
/** Above the keyboard and clear of a notch. Its parts are laid out as if they were children of the grid. */
const onPhone = {
  page: 'max-wide:inset-y-0 max-wide:bottom-(--keyboard,0px) max-wide:grid max-wide:max-h-none max-wide:w-full max-wide:grid-cols-[auto_minmax(0,1fr)_auto] max-wide:grid-rows-[var(--bar)_minmax(0,1fr)] max-wide:rounded-none max-wide:pt-[env(safe-area-inset-top)] max-wide:shadow-none',
  card: 'max-wide:top-auto max-wide:bottom-[calc(max(16px,env(safe-area-inset-bottom))+var(--keyboard,0px))]',
}

const atHeaderEnd = 'flex flex-none max-wide:col-start-3 max-wide:row-start-1 max-wide:mx-2 max-wide:self-center'
/** Less high than the header, but with a touch target as large. */
const slim =
  "max-wide:*:relative max-wide:*:h-9 max-wide:*:min-h-9! max-wide:*:after:absolute max-wide:*:after:inset-x-0 max-wide:*:after:-inset-y-1.5 max-wide:*:after:content-['']"

/**
 * A modal dialog, 12 vh from the top; on a phone it is a page. It dims a dialog below it. Load it lazily, to keep it
 * out of the entry.
 */
export function Dialog({ title, width = 'm', isQuestion = false, onSubmit, onClose, children, ...rest }: Props) {
  const { action, onCancel = onClose, tools, theme, hasList = false } = rest
  useFocusBack()
  useBackCloses(onClose)
  const { backdrop, popup } = useFadeOut()
  const content = (
    <>
      <div
        className={`min-h-0 overflow-y-auto overscroll-contain border-line max-wide:col-span-3 max-wide:flex max-wide:flex-col max-wide:border-t max-wide:pt-3 ${hasList ? 'fades-below' : 'max-wide:pb-[env(safe-area-inset-bottom)]'}`}
      >
        {children}
      </div>
      {action && (
        <footer
          className={`flex flex-none justify-end gap-2 px-6 pt-3 pb-6 ${isQuestion ? 'max-wide:*:flex-1' : 'max-wide:contents'}`}
        >
          <Button autoFocus={isQuestion} className={isQuestion ? '' : 'max-wide:hidden'} onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
          <span className={isQuestion ? 'flex *:flex-1' : `${atHeaderEnd} ${slim}`}>{action}</span>
        </footer>
      )}
    </>
  )
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop ref={backdrop} forceRender className="fixed inset-0 z-30 animate-appear bg-scrim" />
        <Base.Popup
          ref={popup}
          finalFocus={false}
          data-theme={theme}
          data-question={isQuestion ? '' : undefined}
          className={`z-30 animate-rise bg-raised text-ink outline-none ${floats} ${card} ${widths[width]} ${onPhone[isQuestion ? 'card' : 'page']}`}
        >
          <Header title={title} isQuestion={isQuestion} tools={tools} />
          {onSubmit ? (
            <form onSubmit={onSubmit} className="contents">
              {content}
            </form>
          ) : (
            content
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function Header({ title, isQuestion, tools }: { title: string; isQuestion: boolean; tools: ReactNode }) {
  return (
    <header
      className={`flex flex-none items-center gap-1 ps-6 pe-3 pt-4 pb-2 ${isQuestion ? '' : 'max-wide:contents'}`}
    >
      <Base.Title className="min-w-0 flex-1 font-[650] text-dialog tracking-[-0.01em] [overflow-wrap:anywhere] max-wide:self-center max-wide:truncate">
        {title}
      </Base.Title>
      {tools && <span className={`${atHeaderEnd} items-center gap-1`}>{tools}</span>}
      <Base.Close
        render={
          <IconButton
            name={t('ui.close')}
            className={
              isQuestion
                ? 'max-wide:hidden'
                : 'max-wide:col-start-1 max-wide:row-start-1 max-wide:mx-1 max-wide:size-(--bar) max-wide:self-center max-wide:-outline-offset-4'
            }
          />
        }
      >
        <X className="size-4 max-wide:size-5" />
      </Base.Close>
    </header>
  )
}
