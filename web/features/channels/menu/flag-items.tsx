import { useQueryClient } from '@tanstack/react-query'
import { Bell, BellOff, type LucideIcon, Star, StarOff } from 'lucide-react'
import { type ChannelFlag, flagNames } from '#contract/channel-flags'
import type { Channel } from '#contract/channels'
import { type TextId, t } from '../../../i18n/text.ts'
import { MenuItem } from '../../../ui/menu/menu.tsx'
import { toggleFlag } from './toggle-flag.ts'

const items = {
  muted: {
    set: { name: 'channels.mute', Icon: BellOff },
    clear: { name: 'channels.unmute', Icon: Bell },
  },
  isFavorite: {
    set: { name: 'channels.addFavorite', Icon: Star },
    clear: { name: 'channels.removeFavorite', Icon: StarOff },
  },
} as const satisfies Record<ChannelFlag, Record<'set' | 'clear', { name: TextId; Icon: LucideIcon }>>

/** The menu's items that set and clear my flags on a channel. */
export function FlagItems({ channel }: { channel: Channel }) {
  const client = useQueryClient()
  return flagNames.map((flag) => {
    const { name, Icon } = items[flag][channel[flag] ? 'clear' : 'set']
    return (
      <MenuItem key={flag} Icon={Icon} onClick={() => void toggleFlag(client, channel, flag)}>
        {t(name)}
      </MenuItem>
    )
  })
}
