import { useCallback, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { forgetChannel, lastChannel } from '../../features/channels/cache/last-channel.ts'
import { EmailBar } from '../../features/email/email-bar.tsx'
import { holdWhilePressed } from '../../features/messages/composer/hold-while-pressed.ts'
import { hasUnpersisted } from '../../features/messages/outbox/draft-list.ts'
import { NotificationHint } from '../../features/notifications/notification-hint.tsx'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { confirmBeforeUnload } from '../../ui/device/before-leaving.ts'
import { trackKeyboardHeight } from '../../ui/device/virtual-keyboard.ts'
import { keepFocusInPlace } from '../../ui/dialog/focus-in-place.ts'
import { Lazy } from '../../ui/lazy/lazy.tsx'
import { startTooltips } from '../../ui/menu/tooltips.ts'
import HeaderMenus from './header-menus.tsx'
import { NewVersionBar } from './new-version-bar.tsx'
import PersonCards from './person/person-cards.tsx'

const handoverBar = () => import('../../features/identity/handover/handover-bar.tsx')
const demoBar = () => import('../../features/administration/demo-bar.tsx')
const demandBar = () => import('../../features/identity/factors/demand-bar.tsx')

/** Banners above every page, and effects that can wait until the page is idle. Lazy-loaded. */
export default function Banners() {
  const me = useMe()
  const navigate = useNavigate()
  const [isSettingUp, setSettingUp] = useState(false)
  const open = useCallback((address: string) => void navigate(address), [navigate])
  const leaveDemo = useCallback(() => {
    // It may be gone.
    forgetChannel(me.id, lastChannel(me.id) ?? '')
    void navigate(paths.dashboard, { replace: true })
  }, [me.id, navigate])
  useEffect(() => confirmBeforeUnload(hasUnpersisted), [])
  useEffect(() => trackKeyboardHeight(), [])
  useEffect(() => startTooltips(), [])
  useEffect(() => keepFocusInPlace(), [])
  useEffect(() => holdWhilePressed(), [])
  return (
    <>
      <NewVersionBar />
      {me.isDemo && <Lazy load={demoBar} isOptional onEmptied={leaveDemo} />}
      {me.isAskedToOwn && <Lazy load={handoverBar} isOptional />}
      {(me.secondFactorAt || isSettingUp) && (
        <Lazy
          load={demandBar}
          startsAt={me.secondFactorAt ?? null}
          isSettingUp={isSettingUp}
          onSetUp={setSettingUp}
          isOptional
        />
      )}
      <EmailBar me={me} />
      <HeaderMenus />
      <PersonCards />
      <NotificationHint canOffer={me.isWelcomed !== false} onOpen={open} />
    </>
  )
}
