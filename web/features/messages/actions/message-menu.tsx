import { SmilePlus } from 'lucide-react'
import { useEffect } from 'react'
import { Menu, MenuItem, MenuRow, MenuSign } from '../../../ui/menu/menu.tsx'
import { prefetchSpeech } from '../read-aloud/read-aloud.ts'
import { actionIcons } from './action-icons.ts'
import type { Action } from './message-actions.ts'

interface Props {
  anchor: HTMLElement
  actions: readonly Action[]
  onReact: (emoji: string) => void
  /** Opened by touch, where there is no toolbar: offers its actions too. */
  isSheet: boolean
  onClose: () => void
}

const QUICK_REACTIONS = ['👍', '❤️', '😂', '🎉', '👀', '🙏']

/** The actions of a message. Lazy-loaded. */
export default function MessageMenu({ anchor, actions, onReact, isSheet, onClose }: Props) {
  useEffect(prefetchSpeech, [])
  const react = actions.find(({ id }) => id === 'react')
  const listed = actions.filter((action) => action.in === 'menu' || (isSheet && action !== react))
  return (
    <Menu name="Message actions" anchor={anchor} isSheet={isSheet} onClose={onClose}>
      {isSheet && react && (
        <MenuRow>
          {QUICK_REACTIONS.map((emoji) => (
            <MenuSign key={emoji} name={`React with ${emoji}`} onClick={() => onReact(emoji)}>
              {emoji}
            </MenuSign>
          ))}
          <MenuSign name={react.name} onClick={() => react.run(anchor)}>
            <SmilePlus size={20} className="text-soft" />
          </MenuSign>
        </MenuRow>
      )}
      {listed.map(({ id, name, key, isDanger, run }) => (
        <MenuItem key={id} Icon={actionIcons[id]} keys={key} isDanger={isDanger} onClick={() => run(anchor)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  )
}
