import { SmilePlus } from 'lucide-react'
import { useEffect } from 'react'
import { Menu, MenuItem, MenuRow, MenuSign } from '../../../ui/menu/menu.tsx'
import { fetchVoices } from '../read-aloud/read-aloud.ts'
import { signs } from './action-icons.ts'
import type { Action, Actions } from './message-actions.ts'

interface Props {
  anchor: HTMLElement
  actions: Actions
  onReact: (emoji: string) => void
  /** Opened by a finger, which has no toolbar: holds everything. */
  isSheet: boolean
  onClose: () => void
}

const QUICK = ['👍', '❤️', '😂', '🎉', '👀', '🙏']

/** What one can do with a message. Load it lazily. */
export default function MessageMenu({ anchor, actions, onReact, isSheet, onClose }: Props) {
  const { react, reply, edit, quote, unread, aloud, copyText, copyLink } = actions
  useEffect(fetchVoices, [])
  const listed = isSheet
    ? [reply, edit, quote, unread, aloud, copyText, copyLink, actions.delete]
    : [quote, unread, aloud, copyText, copyLink, actions.delete]
  return (
    <Menu name="Message actions" anchor={anchor} isSheet={isSheet} onClose={onClose}>
      {isSheet && react && (
        <MenuRow>
          {QUICK.map((emoji) => (
            <MenuSign key={emoji} name={`React with ${emoji}`} onClick={() => onReact(emoji)}>
              {emoji}
            </MenuSign>
          ))}
          <MenuSign name={react.name} onClick={() => react.act(anchor)}>
            <SmilePlus size={20} className="text-soft" />
          </MenuSign>
        </MenuRow>
      )}
      {listed.map((action) => action && <Item key={action.name} action={action} anchor={anchor} />)}
    </Menu>
  )
}

function Item({ action, anchor }: { action: Action; anchor: HTMLElement }) {
  const { name, sign, key, isDanger, act } = action
  return (
    <MenuItem Icon={signs[sign]} keys={key} isDanger={isDanger} onClick={() => act(anchor)}>
      {name}
    </MenuItem>
  )
}
