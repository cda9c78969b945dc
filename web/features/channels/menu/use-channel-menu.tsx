import { type MouseEvent, useEffect, useState } from 'react'
import type { Channel } from '#contract/channels'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { useLazy } from '../../../ui/lazy/lazy.tsx'
import type { ChannelAct } from './channel-menu.tsx'

/** The lazy-loaded menu of a channel, the props of a button that opens it, and a function that opens it at an element. */
export function useChannelMenu(channel: Channel, name: string, onAct: (act: ChannelAct, channelId: string) => void) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const { Part: Menu, failed, fetch } = useLazy(() => import('./channel-menu.tsx'))
  useEffect(() => {
    if (!anchor || !failed) return
    showToast(t('ui.loadFailed'))
    setAnchor(undefined)
  }, [anchor, failed])

  async function open(element: HTMLElement) {
    await fetch()
    setAnchor(element)
  }

  const trigger = {
    'aria-haspopup': 'menu' as const,
    'aria-expanded': anchor !== undefined,
    onPointerEnter: () => void fetch(),
    onClick: ({ currentTarget }: MouseEvent<HTMLElement>) => void open(currentTarget),
  }
  const close = () => setAnchor(undefined)
  const menu = anchor && Menu && <Menu channel={channel} name={name} anchor={anchor} onAct={onAct} onClose={close} />
  return { open, trigger, menu }
}
