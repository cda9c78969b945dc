import {
  BookmarkMinus,
  Copy,
  Link,
  type LucideIcon,
  MessageSquareReply,
  Pencil,
  Quote,
  SmilePlus,
  Trash2,
  Volume2,
  VolumeX,
} from 'lucide-react'
import type { Sign } from './message-actions.ts'

/** The pictures of what can be done with a message. */
export const signs: Record<Sign, LucideIcon> = {
  react: SmilePlus,
  reply: MessageSquareReply,
  edit: Pencil,
  quote: Quote,
  unread: BookmarkMinus,
  aloud: Volume2,
  hush: VolumeX,
  text: Copy,
  link: Link,
  delete: Trash2,
}
