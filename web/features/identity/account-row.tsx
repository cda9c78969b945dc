import { Ellipsis, UserRoundCheck, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { can } from '#contract/can'
import type { Account } from '#contract/workspace'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { isTouch } from '../../ui/device/media.ts'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu/menu.tsx'
import { Tag } from '../../ui/tag.tsx'

const titles = { owner: 'identity.accounts.owner', admin: 'identity.accounts.admin', member: undefined } as const

export function AccountRow({ person, onChange }: { person: Account; onChange: () => void }) {
  const me = useMe()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const { id, name, username, email, role, deactivatedAt } = person
  const isOut = deactivatedAt !== null
  const title = isOut ? 'identity.accounts.deactivated' : titles[role]

  /** After the dialog has taken the focus of the menu that is gone, and unless another dialog has it. */
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
        </p>
        <p className="flex gap-2 text-meta">
          {/* A username is never cut: it is what one mentions. */}
          <bdi dir="ltr" className="flex-none text-soft">
            @{username}
          </bdi>
          <span className="min-w-0 truncate text-faint" title={email}>
            <bdi dir="ltr">{email}</bdi>
          </span>
        </p>
      </div>
      {can.deactivate(me, person) && (
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
          <MenuItem Icon={isOut ? UserRoundCheck : UserRoundX} isDanger={!isOut} onClick={onChange}>
            {isOut ? t('identity.accounts.reactivate') : t('identity.accounts.deactivate')}
          </MenuItem>
        </Menu>
      )}
    </li>
  )
}
