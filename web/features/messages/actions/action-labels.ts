import {
  BookmarkMinus,
  ClipboardType,
  Copy,
  Flag,
  Link,
  type LucideIcon,
  MessageSquareReply,
  Pencil,
  Pin,
  PinOff,
  Quote,
  SmilePlus,
  Trash2,
  UserRound,
  Volume2,
  VolumeX,
} from 'lucide-react'
import type { PlainTextId } from '../../../i18n/text.ts'
import type { ActionId } from './message-actions.ts'

// In their own file: they load with the toolbar and the menu, not with the first page.

export const actionIcons: Record<ActionId, LucideIcon> = {
  react: SmilePlus,
  reply: MessageSquareReply,
  edit: Pencil,
  quote: Quote,
  pin: Pin,
  unpin: PinOff,
  markUnread: BookmarkMinus,
  readAloud: Volume2,
  stopReading: VolumeX,
  profile: UserRound,
  copyText: Copy,
  copyPlainText: ClipboardType,
  copyLink: Link,
  report: Flag,
  delete: Trash2,
}

export const actionNames: Record<ActionId, PlainTextId> = {
  react: 'messages.actions.react',
  reply: 'messages.actions.reply',
  edit: 'messages.actions.edit',
  quote: 'messages.actions.quote',
  pin: 'messages.actions.pin',
  unpin: 'messages.actions.unpin',
  markUnread: 'messages.actions.markUnread',
  readAloud: 'messages.actions.readAloud',
  stopReading: 'messages.actions.stopReading',
  profile: 'messages.actions.profile',
  copyText: 'messages.actions.copyText',
  copyPlainText: 'messages.actions.copyPlainText',
  copyLink: 'messages.actions.copyLink',
  report: 'messages.actions.report',
  delete: 'messages.actions.delete',
}
