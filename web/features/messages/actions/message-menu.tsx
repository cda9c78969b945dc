import { AtSign, SmilePlus } from 'lucide-react'
import { Fragment, useEffect, useState } from 'react'
import { countEmoji } from '../../../emoji/emoji-counts.ts'
import { t } from '../../../i18n/text.ts'
import { showPerson } from '../../../people/person-card.ts'
import { Menu, MenuDivider, MenuItem, MenuRow, MenuSign } from '../../../ui/menu/menu.tsx'
import { prefetchSpeech } from '../read-aloud/read-aloud.ts'
import { actionIcons, actionNames } from './action-labels.ts'
import type { Action } from './message-actions.ts'

interface Props {
  anchor: HTMLElement
  actions: readonly Action[]
  person: string
  onReact: (emoji: string) => void
  /** Opened by touch. Includes quick reactions, because there is no toolbar. */
  isSheet: boolean
  onClose: () => void
}

const QUICK_REACTIONS = ['👍', '❤️', '😂', '🎉', '👀', '🙏']

/** The actions of a message. Lazy-loaded. */
export default function MessageMenu({ anchor, actions, person, onReact, isSheet, onClose }: Props) {
  useEffect(prefetchSpeech, [])
  const react = actions.find(({ id }) => id === 'react')
  const listed = isSheet ? actions.filter((action) => action !== react) : actions
  const quickReact = (emoji: string) => {
    countEmoji(person, emoji)
    onReact(emoji)
  }
  return (
    <Menu name={t('messages.actions.menu')} anchor={anchor} isSheet={isSheet} onClose={onClose}>
      {isSheet && react && (
        <MenuRow>
          {QUICK_REACTIONS.map((emoji) => (
            <MenuSign key={emoji} name={t('messages.actions.reactWith', { emoji })} onClick={() => quickReact(emoji)}>
              {emoji}
            </MenuSign>
          ))}
          <MenuSign name={t('messages.actions.react')} onClick={() => react.run(anchor)}>
            <SmilePlus size={20} className="text-soft" />
          </MenuSign>
        </MenuRow>
      )}
      {listed.map(({ id, key, isDanger, run }) => (
        <Fragment key={id}>
          {isDanger && <MenuDivider />}
          <MenuItem Icon={actionIcons[id]} keys={key} isDanger={isDanger} onClick={() => run(anchor)}>
            {t(actionNames[id])}
          </MenuItem>
          {id === 'profile' && <MentionedPeople anchor={anchor} />}
        </Fragment>
      ))}
    </Menu>
  )
}

/** The profiles of mentioned people. Mentions in the text are clickable, but not tab stops. */
function MentionedPeople({ anchor }: Pick<Props, 'anchor'>) {
  const [mentions] = useState(() => mentionsIn(anchor))
  return [...mentions].map(([userId, name]) => (
    <MenuItem key={userId} Icon={AtSign} onClick={() => showPerson(anchor, userId)}>
      {t('messages.actions.viewPerson', { name })}
    </MenuItem>
  ))
}

/** Names by user id, as the row shows them. */
function mentionsIn(anchor: HTMLElement) {
  const mentions = anchor.closest('article')?.querySelectorAll<HTMLElement>('.at[data-person]') ?? []
  return new Map([...mentions].map(({ dataset, textContent }) => [dataset['person'] ?? '', textContent ?? '']))
}
