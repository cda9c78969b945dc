import type { ComponentProps } from 'react'
import { t } from '../../i18n/text.ts'
import { wideScreen } from '../device/media.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { Popover } from '../dialog/popover.tsx'
import EmojiPicker from './emoji-picker.tsx'

/** The picker in a popover, or on a phone in a dialog. It closes after a pick. Load it lazily. */
export default function EmojiPopover({
  anchor,
  align = 'end',
  ...picker
}: ComponentProps<typeof EmojiPicker> & Pick<ComponentProps<typeof Popover>, 'anchor' | 'align'>) {
  const { onPick, onClose } = picker
  const content = (
    <EmojiPicker
      {...picker}
      onPick={(native) => {
        onClose()
        onPick(native)
      }}
    />
  )
  return wideScreen().matches ? (
    <Popover name={t('emoji.pick')} anchor={anchor} side={sideOf(anchor)} align={align} onClose={onClose}>
      <div className="h-[min(435px,var(--available-height))] w-[354px]">{content}</div>
    </Popover>
  ) : (
    <Dialog title={t('emoji.pick')} onClose={onClose}>
      <div className="min-h-0 flex-1">{content}</div>
    </Dialog>
  )
}

const HEIGHT_PX = 435
const MARGIN_PX = 14

/** Above if there is room; else beside a message's button, because a picker below would cover the message. */
function sideOf(anchor: HTMLElement) {
  const isRoomAbove = anchor.getBoundingClientRect().top > HEIGHT_PX + MARGIN_PX
  return isRoomAbove || !anchor.closest('article') ? 'top' : 'inline-start'
}
