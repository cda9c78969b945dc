import {
  CheckCheck,
  CircleDot,
  Hash,
  Keyboard,
  LogOut,
  MonitorDown,
  PenLine,
  Settings,
  ShieldCheck,
  Smile,
  SmilePlus,
  UserPlus,
  Users,
} from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { can } from '#contract/can'
import { installApp, useInstallOffer } from '../../browser/install-offer.ts'
import { shortcutLabel } from '../../browser/shortcuts.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { afterTwoFrames } from '../../ui/dialog/after-close.ts'
import { LazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu/menu.tsx'
import { useReadAll } from './use-read-all.ts'

interface DialogProps {
  /** For the workspace's dialog: the section that it was opened for. */
  section?: 'invite' | 'people' | undefined
  onClose: () => void
}

type LoadDialog = () => Promise<{ default: ComponentType<DialogProps> }>

const workspaceDialog = () => import('../../features/identity/workspace-dialog.tsx')
const createChannelDialog = () => import('../../features/channels/dialogs/create-channel-dialog.tsx')
const everyoneDialog = () => import('../../features/channels/dialogs/everyone-dialog.tsx')
const directDialog = () => import('../../features/channels/dialogs/new-direct-dialog.tsx')
const settingsDialog = () => import('./dialogs/settings-dialog.tsx')
const shortcutSheet = () => import('./dialogs/shortcut-sheet.tsx')
const signOutDialog = () => import('./dialogs/sign-out-dialog.tsx')
const availabilityDialog = () => import('../../features/users/availability-dialog.tsx')
const emojiDialog = () => import('../../emoji/emoji-dialog.tsx')
const statusDialog = () => import('../../features/users/status-dialog.tsx')

/**
 * The menus of the buttons that are marked with `data-menu`: of the workspace, at the product's name, and mine, at my
 * picture. It listens to the whole page, so that the buttons need no code of their own. Lazy-loaded.
 */
export default function HeaderMenus() {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [dialog, setDialog] = useState<{ load: LoadDialog; section: DialogProps['section'] }>()
  useEffect(() => {
    const open = (button: HTMLElement | null) => {
      if (!button) return
      delete button.dataset['asked']
      setAnchor(button)
    }
    open(askedFor())
    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element)) return
      open(target.closest<HTMLElement>('[data-menu]'))
      // In the emoji picker, which closes.
      if (target.closest('[data-dialog=emoji]'))
        afterTwoFrames(() => setDialog({ load: emojiDialog, section: undefined }))
    }
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [])
  useEffect(() => {
    anchor?.setAttribute('aria-expanded', 'true')
    return () => anchor?.setAttribute('aria-expanded', 'false')
  }, [anchor])

  const Items = anchor?.dataset['menu'] === 'me' ? MyMenu : WorkspaceMenu
  return (
    <>
      {anchor && (
        <Items
          anchor={anchor}
          // The dialog takes the focus that the menu returns, and later returns it as well.
          onDialog={(load, section) => afterTwoFrames(() => setDialog({ load, section }))}
          onClose={() => setAnchor(undefined)}
        />
      )}
      {dialog && <LazyDialog {...dialog} onClose={() => setDialog(undefined)} />}
    </>
  )
}

/** The button that was clicked before this had loaded, unless the focus has moved on since. */
function askedFor() {
  const asked = document.querySelector<HTMLElement>('[data-menu][data-asked]')
  return [asked, document.body].includes(document.activeElement as HTMLElement) ? asked : null
}

interface Props {
  anchor: HTMLElement
  onDialog: (load: LoadDialog, section?: DialogProps['section']) => void
  onClose: () => void
}

function WorkspaceMenu({ anchor, onDialog, onClose }: Props) {
  const me = useMe()
  const navigate = useNavigate()
  const readAll = useReadAll()
  return (
    <Menu name={t('shell.menu.workspace')} anchor={anchor} align="start" onClose={onClose}>
      {can.manageWorkspace(me) && (
        <>
          <MenuItem Icon={UserPlus} onClick={() => onDialog(workspaceDialog, 'invite')}>
            {t('shell.menu.invite')}
          </MenuItem>
          <MenuItem Icon={Users} onClick={() => onDialog(workspaceDialog, 'people')}>
            {t('shell.menu.members')}
          </MenuItem>
        </>
      )}
      {!can.manageWorkspace(me) && can.seeEverybody(me) && (
        <MenuItem Icon={Users} onClick={() => onDialog(everyoneDialog)}>
          {t('shell.menu.people')}
        </MenuItem>
      )}
      {(can.manageWorkspace(me) || can.createGroups(me)) && (
        <>
          <MenuItem Icon={ShieldCheck} onClick={() => void navigate(paths.admin())}>
            {t('admin.title')}
          </MenuItem>
          <hr className="-mx-1 my-1 border-line" />
        </>
      )}
      {(can.createChannel(me, false) || can.createChannel(me, true)) && (
        <MenuItem Icon={Hash} onClick={() => onDialog(createChannelDialog)}>
          {t('channels.create.open')}
        </MenuItem>
      )}
      <MenuItem Icon={PenLine} onClick={() => onDialog(directDialog)}>
        {t('channels.newDirect')}
      </MenuItem>
      <MenuItem Icon={SmilePlus} onClick={() => onDialog(emojiDialog)}>
        {t('emoji.manage.open')}
      </MenuItem>
      <hr className="-mx-1 my-1 border-line" />
      <MenuItem Icon={CheckCheck} keys={shortcutLabel('readAll')} onClick={() => void readAll()}>
        {t('shell.menu.readAll')}
      </MenuItem>
    </Menu>
  )
}

function MyMenu({ anchor, onDialog, onClose }: Props) {
  const { id, name, username } = useMe()
  const canInstall = useInstallOffer()
  return (
    <Menu name={t('shell.menu.account')} anchor={anchor} onClose={onClose}>
      <div className="flex w-60 items-center gap-3 px-2 pt-1.5 pb-2.5">
        <Avatar id={id} name={name} />
        <div className="min-w-0">
          <bdi className="block truncate font-[620] text-ink">{name}</bdi>
          <bdi dir="ltr" className="block truncate text-faint">
            @{username}
          </bdi>
        </div>
      </div>
      <MenuItem Icon={Smile} onClick={() => onDialog(statusDialog)}>
        {t('users.setStatus')}
      </MenuItem>
      <MenuItem Icon={CircleDot} onClick={() => onDialog(availabilityDialog)}>
        {t('users.availability.title')}
      </MenuItem>
      <MenuItem Icon={Settings} onClick={() => onDialog(settingsDialog)}>
        {t('settings.title')}
      </MenuItem>
      <MenuItem Icon={Keyboard} keys={shortcutLabel('sheet')} onClick={() => onDialog(shortcutSheet)}>
        {t('shell.shortcuts.title')}
      </MenuItem>
      {canInstall && (
        <MenuItem Icon={MonitorDown} onClick={installApp}>
          {t('installation.install')}
        </MenuItem>
      )}
      <hr className="-mx-1 my-1 border-line" />
      <MenuItem Icon={LogOut} onClick={() => onDialog(signOutDialog)}>
        {t('identity.signOut.button')}
      </MenuItem>
    </Menu>
  )
}
