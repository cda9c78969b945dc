import { type NotificationLevel, notificationLevels } from '#contract/notification-rule'
import { type PlainTextId, t } from '../i18n/text.ts'
import { RadioCards } from '../ui/input/radio-cards.tsx'

const names = {
  everything: 'notifications.level.everything',
  mentions: 'notifications.level.mentions',
  nothing: 'notifications.level.nothing',
} as const satisfies Record<NotificationLevel, PlainTextId>

const hints = {
  everything: 'notifications.level.everythingHint',
  mentions: 'notifications.level.mentionsHint',
  nothing: 'notifications.level.nothingHint',
} as const satisfies Record<NotificationLevel, PlainTextId>

export const levelName = (level: NotificationLevel) => t(names[level])

interface Props {
  legend: string
  isLegendHidden?: boolean
  /** The first option, which leaves it to a default, says what that is. */
  fallback?: { name: string; hint: string }
  /** Null for the default. */
  value: NotificationLevel | null
  onChoose: (level: NotificationLevel | null) => void
}

/** Chooses what notifies somebody: for one conversation, for all channels, or for everyone. */
export function LevelChoice({ fallback, value, onChoose, ...legend }: Props) {
  return (
    <RadioCards
      {...legend}
      options={[
        ...(fallback ? [{ value: 'default' as const, ...fallback }] : []),
        ...notificationLevels.map((level) => ({ value: level, name: t(names[level]), hint: t(hints[level]) })),
      ]}
      value={value ?? 'default'}
      onChoose={(chosen) => onChoose(chosen === 'default' ? null : chosen)}
    />
  )
}
