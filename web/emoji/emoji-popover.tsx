import { Plus } from 'lucide-react'
import type { ComponentProps } from 'react'
import { can } from '#contract/can'
import { direction } from '../i18n/language.ts'
import { t } from '../i18n/text.ts'
import { useMe } from '../me.tsx'
import { wideScreen } from '../ui/device/media.ts'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Popover } from '../ui/dialog/popover.tsx'
import { Button } from '../ui/input/button.tsx'
import EmojiPicker from './emoji-picker.tsx'

interface Props extends ComponentProps<typeof EmojiPicker>, Pick<ComponentProps<typeof Popover>, 'anchor' | 'align'> {
  /** Whether it opens behind the anchor in the line, if there is room. */
  opensBehind?: boolean
}

/** The picker in a popover, or on a phone in a dialog. It closes after a pick. Load it lazily. */
export default function EmojiPopover({ anchor, align = 'end', opensBehind = false, ...picker }: Props) {
  const { onPick, onClose } = picker
  const content = (
    <EmojiPicker
      {...picker}
      onPick={(emoji) => {
        onClose()
        onPick(emoji)
      }}
    />
  )
  return wideScreen().matches ? (
    <Popover name={t('emoji.pick')} anchor={anchor} side={sideOf(anchor, opensBehind)} align={align} onClose={onClose}>
      <div className="flex h-[min(435px,var(--available-height))] w-88.5 flex-col">
        <div className="min-h-0 flex-1">{content}</div>
        <AddButton onClose={onClose} />
      </div>
    </Popover>
  ) : (
    <Dialog title={t('emoji.pick')} onClose={onClose}>
      <div className="min-h-0 flex-1">{content}</div>
      <AddButton onClose={onClose} />
    </Dialog>
  )
}

/** Opens the dialog of the workspace's emoji, which `header-menus.tsx` has. */
function AddButton({ onClose }: { onClose: () => void }) {
  const me = useMe()
  if (!can.addEmoji(me)) return null
  return (
    <div className="flex-none border-line border-t p-1.5">
      <Button data-dialog="emoji" onClick={onClose}>
        <Plus size={16} />
        {t('emoji.add.open')}
      </Button>
    </div>
  )
}

const WIDTH_PX = 354
const HEIGHT_PX = 435
const MARGIN_PX = 14

/**
 * Above, if there is room; else before a message's button, because below it would cover the message. A button that stands
 * where the text begins has it behind itself, where it covers neither the author nor the sidebar.
 */
function sideOf(anchor: HTMLElement, opensBehind: boolean) {
  const { top, left, right } = anchor.getBoundingClientRect()
  const behind = direction() === 'rtl' ? left : innerWidth - right
  if (opensBehind && behind >= WIDTH_PX + MARGIN_PX) return 'inline-end'
  return top > HEIGHT_PX + MARGIN_PX || !anchor.closest('article') ? 'top' : 'inline-start'
}
