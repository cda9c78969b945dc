import { Crown, Megaphone, UserMinus } from 'lucide-react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import type { Profile } from '#contract/users'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { UserLine } from '../../../people/user-line.tsx'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { Tag } from '../../../ui/tag.tsx'
import type { MemberChange } from './member-change-dialog.tsx'

interface Props {
  channel: Channel
  person: Profile
  onChange: (change: MemberChange) => void
  /** Lets a person post, or no longer. */
  onPoster: (poster: { person: Profile; isPoster: boolean }) => void
  /** Shows the person's card. */
  onProfile: (userId: string, anchor: HTMLElement) => void
}

export function MemberRow({ channel, person, onChange, onPoster, onProfile }: Props) {
  const me = useMe()
  const { id, name } = person
  const mayName = can.namePoster(me, channel, id)
  const isPoster = channel.posting !== 'all' && channel.posters?.includes(id) === true
  return (
    <li className="group flex min-h-11 items-center gap-1 rounded-m hover:bg-hover">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => onProfile(id, currentTarget)}
        className="flex min-h-11 min-w-0 flex-1 cursor-pointer items-center rounded-m ps-3 text-start focus-visible:-outline-offset-2"
      >
        <UserLine person={person} />
      </button>
      {id === channel.ownerId && (
        <span className="me-3 flex">
          <Tag>{t('channels.owner')}</Tag>
        </span>
      )}
      {isPoster && id !== channel.ownerId && (
        // On a phone the pressed button says it, which leaves room for the name.
        <span className={`me-1.5 flex ${mayName ? 'max-wide:hidden' : ''}`}>
          <Tag>{t('channels.posters.tag')}</Tag>
        </span>
      )}
      {mayName && (
        <IconButton
          name={t('channels.posters.allow', { name })}
          aria-pressed={isPoster}
          className="aria-pressed:text-pine"
          onClick={() => onPoster({ person, isPoster: !isPoster })}
        >
          <Megaphone size={16} />
        </IconButton>
      )}
      {can.removeMember(me, channel, id) && (
        <span className="me-1.5 flex flex-none gap-1">
          <IconButton name={t('channels.promote', { name })} onClick={() => onChange({ kind: 'promote', person })}>
            <Crown size={16} />
          </IconButton>
          <IconButton name={t('ui.removeNamed', { name })} onClick={() => onChange({ kind: 'remove', person })}>
            <UserMinus size={16} />
          </IconButton>
        </span>
      )}
    </li>
  )
}
