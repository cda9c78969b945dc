import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { t } from '../../../i18n/text.ts'
import { type DiffPart, wordDiff } from './word-diff.ts'

interface Props {
  content: string
  /** The text before it; undefined for the first that was kept. */
  before: string | undefined
}

/** The text of a version, with what it added and removed. If there is too much of that, both texts. */
export function VersionText({ content, before }: Props) {
  // Compared one after the other once all are on screen, because that takes time.
  const old = useDeferredValue(before ?? null, null)
  const parts = useMemo(() => (old === null ? undefined : wordDiff(old, content)), [old, content])
  if (content === '' && !before) return <p className="text-faint italic">{t('messages.history.noText')}</p>
  if (old === null) return <Text>{content}</Text>
  if (parts)
    return (
      <Text>
        {parts.map((part, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never move
          <Part key={nth} {...part} />
        ))}
      </Text>
    )
  return (
    <>
      <Caption>{t('messages.history.before')}</Caption>
      <Text>{old}</Text>
      <Caption>{t('messages.history.after')}</Caption>
      <Text>{content}</Text>
    </>
  )
}

const Text = ({ children }: { children: ReactNode }) => (
  <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
    {children}
  </p>
)

const Caption = ({ children }: { children: string }) => (
  <p className="mt-2 font-[550] text-faint text-micro first-of-type:mt-0">{children}</p>
)

const mark = 'rounded-[3px] px-px decoration-1 underline-offset-3'

function Part({ kind, text }: DiffPart) {
  if (kind === 'same') return text
  const isAdded = kind === 'added'
  const Mark = isAdded ? 'ins' : 'del'
  return (
    <Mark
      className={`${mark} ${isAdded ? 'bg-pine/14 text-pine-strong underline' : 'bg-danger/10 text-danger line-through'}`}
    >
      <span className="sr-only select-none">
        {isAdded ? t('messages.history.added') : t('messages.history.removed')}{' '}
      </span>
      {/* A line break alone would be invisible. */}
      {text.trim() === '' ? text.replaceAll('\n', '↵\n') : text}
    </Mark>
  )
}
