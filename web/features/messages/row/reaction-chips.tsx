import { SmilePlus } from 'lucide-react'
import { useState } from 'react'
import type { User } from '#contract/users'
import { useIsGone } from '../../../emoji/custom-emoji.ts'
import { EmojiSign } from '../../../emoji/emoji-sign.tsx'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/text.ts'
import { hasJustArrived, reactionKey } from '../../../ui/arrivals.ts'
import { useLongPress } from '../../../ui/device/long-press.ts'
import { keepFocus } from '../../../ui/input/keep-focus.ts'
import { Rolling } from '../../../ui/rolling.tsx'
import { useConversation } from '../actions/conversation-context.tsx'
import type { Action } from '../actions/message-actions.ts'
import { fetchPopup } from '../actions/message-popup.tsx'
import { type ShownReaction, whoReacted } from './optimistic-reactions.ts'

interface Props {
  messageId: string
  reactions: readonly ShownReaction[]
  me: User
  /** Adds or removes my reaction; undefined for users who are not members. */
  onToggle: ((emoji: string) => void) | undefined
  /** Opens the emoji picker. */
  add: Action | undefined
  isPicking: boolean
}

/** The `after` element makes it large enough for touch. It lies below the text, so that links in the text can be tapped. */
const chip =
  "relative inline-flex h-6 items-center gap-[5px] rounded-full border px-2 font-[550] text-meta tabular-nums transition-colors after:absolute after:-inset-x-0.5 after:content-[''] pointer-coarse:h-8 pointer-coarse:after:-inset-y-1.5"
const variants = {
  mine: 'border-[color-mix(in_oklch,var(--pine)_45%,transparent)] bg-pine-wash text-pine-strong hover:border-pine',
  others: 'border-line bg-paper text-soft hover:border-line-strong hover:text-ink',
}

export function ReactionChips({ messageId, reactions, me, onToggle, add, isPicking }: Props) {
  return (
    <div className="flex flex-wrap gap-1 pt-1 pb-0.5 pointer-coarse:gap-x-1.5 pointer-coarse:gap-y-3 pointer-coarse:py-1.5">
      {reactions.map((reaction) => (
        <Chip key={reaction.emoji} messageId={messageId} reaction={reaction} me={me} onToggle={onToggle} />
      ))}
      {add && (
        <button
          type="button"
          aria-label={t('messages.actions.react')}
          data-tip={t('messages.actions.react')}
          data-add-reaction=""
          aria-haspopup="dialog"
          aria-expanded={isPicking}
          onMouseDown={keepFocus}
          onPointerEnter={() => fetchPopup('picker')}
          onClick={({ currentTarget }) => add.run(currentTarget)}
          className={`${chip} ${variants.others} opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100 aria-expanded:border-line-strong aria-expanded:bg-press aria-expanded:text-ink`}
        >
          <SmilePlus size={15} />
        </button>
      )}
    </div>
  )
}

interface ChipProps extends Pick<Props, 'messageId' | 'me' | 'onToggle'> {
  reaction: ShownReaction
}

function Chip({ messageId, reaction, me, onToggle }: ChipProps) {
  const { emoji, count, isMine } = reaction
  const key = reactionKey(messageId, emoji)
  const { since } = useConversation()
  const [pops] = useState(() => hasJustArrived(key, since))
  const press = useLongPress((pressed) => pressed.dispatchEvent(new Event('tip', { bubbles: true })))
  const words = whoReacted(reaction, me.id)
  // One that was removed from the workspace can be taken back, but not added.
  const isGone = useIsGone(emoji)
  const toggle = isGone && !isMine ? undefined : onToggle
  return (
    <button
      type="button"
      aria-pressed={isMine}
      aria-description={words}
      aria-disabled={!toggle}
      data-tip={words}
      onMouseDown={keepFocus}
      onClick={() => toggle?.(emoji)}
      {...press}
      className={`${chip} ${variants[isMine ? 'mine' : 'others']} ${pops ? 'animate-pop' : ''}`}
    >
      <span className="text-ui">
        <EmojiSign emoji={emoji} />
      </span>{' '}
      <Rolling of={key}>{formatNumber(count)}</Rolling>
    </button>
  )
}
