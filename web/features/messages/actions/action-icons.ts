import {
  BookmarkMinus,
  ClipboardType,
  Copy,
  Link,
  type LucideIcon,
  MessageSquareReply,
  Pencil,
  Quote,
  SmilePlus,
  Trash2,
  UserRound,
  Volume2,
  VolumeX,
} from 'lucide-react'
import type { ActionId } from './message-actions.ts'

/** In a file of their own, because they load with the toolbar and the menu, not with the first page. */
export const actionIcons: Record<ActionId, LucideIcon> = {
  react: SmilePlus,
  reply: MessageSquareReply,
  edit: Pencil,
  quote: Quote,
  markUnread: BookmarkMinus,
  readAloud: Volume2,
  stopReading: VolumeX,
  profile: UserRound,
  copyText: Copy,
  copyPlainText: ClipboardType,
  copyLink: Link,
  delete: Trash2,
}
