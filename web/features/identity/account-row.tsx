import {
  CalendarClock,
  Crown,
  Ellipsis,
  KeyRound,
  Megaphone,
  MegaphoneOff,
  ShieldCheck,
  ShieldOff,
  UserRoundCheck,
  UserRoundX,
} from 'lucide-react'
import { useState } from 'react'
import { can } from '#contract/can'
import type { Me } from '#contract/users'
import type { Account } from '#contract/workspace'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { isTouch } from '../../ui/device/media.ts'
import { serverNow } from '../../ui/format/clock.ts'
import { shortDate } from '../../ui/format/short-date.ts'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu/menu.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { AccountChange } from './account-change-dialog.tsx'

const titles = {
  owner: 'identity.accounts.owner',
  admin: 'identity.accounts.admin',
  member: undefined,
  guest: 'identity.accounts.guest',
} as const

/** An action of an owner or admin on an account. */
export type AccountAct = AccountChange | 'deactivate' | 'passwordLink' | 'mute' | 'extend' | 'handOver'

const items: Record<AccountAct, { text: () => string; Icon: typeof KeyRound; isDanger?: true }> = {
  makeAdmin: { text: () => t('identity.accounts.makeAdmin'), Icon: ShieldCheck },
  removeAdmin: { text: () => t('identity.accounts.removeAdmin'), Icon: ShieldOff },
  makeMember: { text: () => t('identity.accounts.makeMember'), Icon: UserRoundCheck },
  handOver: { text: () => t('handover.action'), Icon: Crown },
  extend: { text: () => t('identity.extend.action'), Icon: CalendarClock },
  mute: { text: () => t('identity.mute.action'), Icon: MegaphoneOff },
  unmute: { text: () => t('identity.unmute.action'), Icon: Megaphone },
  passwordLink: { text: () => t('identity.accounts.passwordLink'), Icon: KeyRound },
  reactivate: { text: () => t('identity.accounts.reactivate'), Icon: UserRoundCheck },
  deactivate: { text: () => t('identity.accounts.deactivate'), Icon: UserRoundX, isDanger: true },
}

/** The actions that I may take on an account, in menu order. */
function actsOn(me: Me, person: Account): AccountAct[] {
  const isOut = person.deactivatedAt !== null
  const mayChangeRole = can.changeRole(me, person) && !isOut
  const isGuest = person.role === 'guest'
  return [
    ...(mayChangeRole && isGuest ? (['makeMember'] as const) : []),
    ...(mayChangeRole && !isGuest ? ([person.role === 'admin' ? 'removeAdmin' : 'makeAdmin'] as const) : []),
    ...(mayChangeRole && !isGuest && me.role === 'owner' ? (['handOver'] as const) : []),
    ...(isGuest && can.deactivate(me, person) ? (['extend'] as const) : []),
    ...(can.mute(me, person) && !isOut ? ([isMuted(person) ? 'unmute' : 'mute'] as const) : []),
    ...(can.resetPassword(me, person) && !isOut ? (['passwordLink'] as const) : []),
    ...(can.deactivate(me, person) && !(isGuest && isOut) ? ([isOut ? 'reactivate' : 'deactivate'] as const) : []),
  ]
}

const isMuted = ({ mutedUntil }: Account) => mutedUntil !== null && Date.parse(mutedUntil) > serverNow()

export function AccountRow({ person, onAct }: { person: Account; onAct: (act: AccountAct) => void }) {
  const me = useMe()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const { id, name, username, email, role, deactivatedAt, guestUntil } = person
  const isOut = deactivatedAt !== null
  const acts = actsOn(me, person)
  const title = isOut ? 'identity.accounts.deactivated' : titles[role]

  /** Returns the focus after the dialog has taken it from the closed menu, unless another dialog has it. */
  function close() {
    setAnchor(undefined)
    requestAnimationFrame(() =>
      setTimeout(() => document.activeElement?.matches('body, [role=dialog]') && anchor?.focus()),
    )
  }

  return (
    <li className="flex min-h-13 items-center gap-3 rounded-m px-3 py-1 hover:bg-hover">
      <span className={isOut ? 'grayscale' : undefined}>
        <Avatar id={id} name={name} size="m" />
      </span>
      <div className="min-w-0 flex-1 leading-tight">
        <p className="flex items-center gap-2 text-ui">
          <bdi className="truncate font-[550]" title={name}>
            {name}
          </bdi>
          {title && <Tag>{t(title)}</Tag>}
          {!isOut && isMuted(person) && <Tag>{t('identity.accounts.muted')}</Tag>}
        </p>
        <p className="flex gap-2 text-meta">
          {/* Usernames are never cut, because people mention them. */}
          <bdi dir="ltr" className="flex-none text-soft">
            @{username}
          </bdi>
          <span className="min-w-0 truncate text-faint" title={email}>
            <bdi dir="ltr">{email}</bdi>
          </span>
          {guestUntil && !isOut && (
            <span className="flex-none text-soft">{t('identity.accounts.until', { date: shortDate(guestUntil) })}</span>
          )}
        </p>
      </div>
      {acts.length > 0 && (
        <IconButton
          name={t('ui.actionsFor', { name })}
          aria-haspopup="menu"
          aria-expanded={anchor !== undefined}
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        >
          <Ellipsis size={16} />
        </IconButton>
      )}
      {anchor && (
        <Menu name={t('ui.actionsFor', { name })} anchor={anchor} isSheet={isTouch()} onClose={close}>
          {acts.map((act) => {
            const { text, Icon, isDanger = false } = items[act]
            return (
              <MenuItem key={act} Icon={Icon} isDanger={isDanger} onClick={() => onAct(act)}>
                {text()}
              </MenuItem>
            )
          })}
        </Menu>
      )}
    </li>
  )
}
